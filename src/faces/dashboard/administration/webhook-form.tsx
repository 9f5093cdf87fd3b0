import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { choicesField, textField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import { endpointTypes, endpointUrl } from '../../webhooks/endpoints.ts'
import { allWebhookEventTypes, type WebhookEventType } from '../../webhooks/event-types.ts'
import * as webhooks from '../../webhooks/rules.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { entryOn, hostOf, loadEndpoint, OF_WEBHOOKS } from '../webhook-parts.tsx'

const groupOf: Readonly<Record<WebhookEventType, keyof Texts['webhooks']['groups']>> = {
  'registration.created': 'registrations',
  'registration.cancelled': 'registrations',
  'payment.completed': 'registrations',
  'checkin.created': 'checkIns',
  'checkin.undone': 'checkIns',
  'abstract.decided': 'abstracts',
  ping: 'tests',
}

/** A ping goes to each webhook whatever it gets: it is offered where it was chosen elsewhere, so that an edit keeps it. */
function fieldsWith(chosen: readonly WebhookEventType[]) {
  const offered = allWebhookEventTypes.filter(type => type !== 'ping' || chosen.includes(type))
  const url = textField(endpointUrl, {
    label: texts => texts.webhooks.address,
    help: texts => (chosen.length === 0 ? texts.webhooks.addressHelp : texts.webhooks.addressMoves),
    control: { kind: 'input', type: 'text', inputmode: 'url' },
  })
  return {
    url: { ...url, parse: ([typed = ''], scale) => url.parse([typed.trim()], scale) } satisfies typeof url,
    types: choicesField(
      allWebhookEventTypes,
      ({ webhooks: texts }) =>
        offered.map(type => ({
          value: type,
          label: `${texts.type[type]} (${type})`,
          group: texts.groups[groupOf[type]],
        })),
      { label: texts => texts.webhooks.types },
      endpointTypes,
    ),
  }
}

export const newWebhook = formPage('account', {
  ...OF_WEBHOOKS,
  path: '/a/{account}/webhooks/new',
  load: async () => undefined,
  fields: () => fieldsWith([]),
  view: (_, { account, voice: { texts } }, state) => {
    const { title, add, create } = texts.webhooks
    const leave = paths.webhooks(account.id)
    return {
      title: add,
      body: (
        <>
          <Head title={add} crumbs={<a href={leave}>{title}</a>} />
          <Form
            state={state}
            texts={texts}
            action={paths.newWebhook(account.id)}
            submit={create}
            leave={leave}
          />
        </>
      ),
    }
  },
  prepare: ({ url }, _, { allowInsecureWebhooks }) => webhooks.refuseUnsafeUrl(url, allowInsecureWebhooks),
  act: (tx, { account }, { values }) => webhooks.addEndpoint(tx, account.id, values),
  entry: () => ({ action: 'webhook.add', targetType: 'webhook_endpoint', targetOf: ({ id }) => id }),
  next: (endpoint, { account }) => ({
    path: paths.webhook(account.id, endpoint.id),
    flash: flash('webhookAdded', { host: hostOf(endpoint) }),
  }),
})

export const editWebhook = formPage('account', {
  ...OF_WEBHOOKS,
  path: '/a/{account}/webhooks/{endpoint}/edit',
  load: loadEndpoint,
  fields: ({ types }) => fieldsWith(types),
  current: ({ url, types }) => ({ url, types }),
  view: (endpoint, { account, voice: { texts } }, state) => {
    const leave = paths.webhook(account.id, endpoint.id)
    return {
      title: texts.webhooks.editTitle,
      body: (
        <>
          <Head title={texts.webhooks.editTitle} crumbs={<WebhookLink href={leave} url={endpoint.url} />} />
          <Form
            state={state}
            texts={texts}
            action={paths.ofWebhook(account.id, endpoint.id, 'edit')}
            submit={texts.page.save}
            leave={leave}
          />
        </>
      ),
    }
  },
  prepare: async ({ url }, asked, services) => {
    const current = await services.db.read(tx => loadEndpoint(tx, asked, services))
    // One that was let in by laxer rules stays, as long as nobody changes it.
    if (url !== current.url) await webhooks.refuseUnsafeUrl(url, services.allowInsecureWebhooks)
  },
  act: async (tx, { account }, { values, loaded }) =>
    (await webhooks.updateEndpoint(tx, account.id, loaded.id, values)).endpoint,
  entry: (asked, changed) => ({
    ...entryOn('webhook.update', asked),
    details: () => ({ fields: changed() }),
  }),
  next: (endpoint, { account }) => ({
    path: paths.webhook(account.id, endpoint.id),
    flash: flash('webhookSaved', { host: hostOf(endpoint) }),
  }),
})

/** The way back to a webhook. */
export function WebhookLink({ href, url }: { href: string; url: string }) {
  return (
    <a href={href}>
      <bdi>{url}</bdi>
    </a>
  )
}
