import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choicesField, textField } from '#machinery/web/forms/field.ts'
import { endpointTypes, endpointUrl } from '#product/administration/webhooks/endpoints.ts'
import { allWebhookEventTypes, type WebhookEventType } from '#product/administration/webhooks/event-types.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import type { Texts } from '#texts/texts.ts'
import { entryOn, hostOf, loadEndpoint, OF_WEBHOOKS } from './webhook-parts.tsx'

const groupOf: Readonly<Record<WebhookEventType, keyof Texts['webhooks']['groups']>> = {
  'registration.created': 'registrations',
  'registration.cancelled': 'registrations',
  'payment.completed': 'registrations',
  'checkin.created': 'checkIns',
  'checkin.undone': 'checkIns',
  'abstract.decided': 'abstracts',
  ping: 'tests',
}

/**
 * Returns the fields. A ping goes to every webhook whatever its types, so the form offers it only if the webhook has it already,
 * and an edit keeps it.
 */
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
  parts: (_, { account, voice }) => {
    const { title: crumbs, add: title, create: submit } = voice.texts.webhooks
    return { title, crumbs, submit, leave: paths.webhooks(account.id) }
  },
  prepare: ({ url }, _, { allowInsecureWebhooks }) => webhooks.refuseUnsafeUrl(url, allowInsecureWebhooks),
  act: (tx, _, { values }) => webhooks.addEndpoint(tx, values),
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
  parts: ({ id, url }, { account, voice: { texts } }) => {
    const leave = paths.webhook(account.id, id)
    const crumbs = <NamedLink href={leave} name={url} />
    return { title: texts.webhooks.editTitle, crumbs, submit: texts.page.save, leave }
  },
  prepare: async ({ url }, request, services) => {
    const current = await services.db.read(request.account.id, tx => loadEndpoint(tx, request, services))
    // An address that laxer rules accepted stays, as long as nobody changes it.
    if (url !== current.url) await webhooks.refuseUnsafeUrl(url, services.allowInsecureWebhooks)
  },
  act: async (tx, _, { values, loaded }) => (await webhooks.updateEndpoint(tx, loaded.id, values)).endpoint,
  entry: (request, changed) => ({
    ...entryOn('webhook.update', request),
    details: () => ({ fields: changed() }),
  }),
  next: (endpoint, { account }) => ({
    path: paths.webhook(account.id, endpoint.id),
    flash: flash('webhookSaved', { host: hostOf(endpoint) }),
  }),
})
