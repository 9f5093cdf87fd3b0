import type { ComponentChildren } from 'preact'
import { Head } from '../../web/components/parts.tsx'
import { type Flash, flash } from '../../web/flash.ts'
import type { FormState } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { removeSoon } from '../../webhooks/removal.ts'
import * as webhooks from '../../webhooks/rules.ts'
import type { EndpointDetails } from '../../webhooks/schemas.ts'
import { actorOf, type OfAccount } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import type { View } from '../page.ts'
import { paths } from '../paths.ts'
import { entryOn, hostOf, loadEndpoint, OF_WEBHOOKS } from '../webhook-parts.tsx'
import { WebhookLink } from './webhook-form.tsx'

const PATH = '/a/{account}/webhooks/{endpoint}'

const idOf = ({ params }: OfAccount) => params.endpoint ?? ''
const backTo = (asked: OfAccount) => paths.webhook(asked.account.id, idOf(asked))

function switchButton(what: 'enable' | 'disable') {
  const isEnabled = what === 'enable'
  return button('account', {
    ...OF_WEBHOOKS,
    path: `${PATH}/${what}`,
    act: (tx, asked) => webhooks.setEnabled(tx, asked.account.id, idOf(asked), isEnabled),
    entry: asked => entryOn(`webhook.${what}`, asked),
    next: (endpoint, asked) => {
      const undo = paths.ofWebhook(asked.account.id, endpoint.id, isEnabled ? 'disable' : 'enable')
      const told = { host: hostOf(endpoint) }
      return {
        path: backTo(asked),
        flash: flash(isEnabled ? 'webhookEnabled' : 'webhookDisabled', told, { undo }),
      }
    },
    back: backTo,
  })
}

export const enableWebhook = switchButton('enable')
export const disableWebhook = switchButton('disable')

export const pingWebhook = button('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/ping`,
  act: (tx, asked) => webhooks.ping(tx, asked.account.id, idOf(asked)),
  entry: asked => entryOn('webhook.ping', asked),
  next: (delivery, asked) => ({
    path: paths.delivery(asked.account.id, idOf(asked), delivery),
    flash: flash('webhookPinged', {}),
  }),
  back: backTo,
})

interface Question {
  what: 'rotate' | 'remove'
  title: string
  submit: string
  will: readonly string[]
}

/** A page that says what will happen, and asks whether to go on. */
function ask(
  { what, title, submit, will }: Question,
  { account, voice: { texts } }: OfAccount,
  endpoint: EndpointDetails,
  state: FormState,
): View {
  const leave = paths.webhook(account.id, endpoint.id)
  const lines: ComponentChildren = will.map(line => <li key={line}>{line}</li>)
  return {
    title,
    body: (
      <>
        <Head title={title} crumbs={<WebhookLink href={leave} url={endpoint.url} />} />
        <div class="card">
          <Form
            state={state}
            texts={texts}
            action={paths.ofWebhook(account.id, endpoint.id, what)}
            submit={submit}
            leave={leave}
            isDanger
          >
            <ul class="will">{lines}</ul>
          </Form>
        </div>
      </>
    ),
  }
}

export const rotateWebhook = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/rotate`,
  load: loadEndpoint,
  fields: () => ({}),
  seen: ({ previous_secret_expires_at: until }) => until ?? '',
  view: (endpoint, asked, state) => {
    const { webhooks: texts } = asked.voice.texts
    const { previous_secret_expires_at: until } = endpoint
    const ends = until === null ? [] : [texts.rotateEnds(asked.voice.format.dateTime(until))]
    const will = [texts.rotateSigns, texts.rotateAfter, ...ends]
    const question = { what: 'rotate', title: texts.rotateTitle, submit: texts.rotateSubmit, will } as const
    return ask(question, asked, endpoint, state)
  },
  act: (tx, asked) => webhooks.rotateSecret(tx, asked.account.id, idOf(asked)),
  entry: asked => entryOn('webhook.rotate', asked),
  next: ({ previous_secret_expires_at: until }, asked) => ({
    path: backTo(asked),
    flash: flash('webhookRotated', { until: asked.voice.format.dateTime(until) }),
  }),
})

export const removeWebhook = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/remove`,
  load: loadEndpoint,
  fields: () => ({}),
  seen: ({ url }) => url,
  view: (endpoint, asked, state) => {
    const { webhooks: texts } = asked.voice.texts
    const will = [texts.removeNothing, texts.removeLog]
    const question = { what: 'remove', title: texts.removeTitle, submit: texts.removeSubmit, will } as const
    return ask(question, asked, endpoint, state)
  },
  act: (tx, asked) => removeSoon(tx, asked.account.id, idOf(asked), actorOf(asked).who),
  entry: asked => entryOn('webhook.remove', asked),
  next: ({ endpoint, isRemoved }, { account }): { path: string; flash: Flash } => ({
    path: paths.webhooks(account.id),
    flash: flash(isRemoved ? 'webhookRemoved' : 'webhookRemoving', { host: hostOf(endpoint) }),
  }),
})
