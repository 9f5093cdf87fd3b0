import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { type AccountRequest, actorOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { type Flash, flash } from '#machinery/web/flash.ts'
import { removeSoon } from '#product/administration/webhooks/removal.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import type { EndpointDetails } from '#product/administration/webhooks/schemas.ts'
import { entryOn, hostOf, loadEndpoint, OF_WEBHOOKS } from './webhook-parts.tsx'

const PATH = '/a/{account}/webhooks/{endpoint}'

const idOf = ({ params }: AccountRequest) => params.endpoint ?? ''
const backTo = (request: AccountRequest) => paths.webhook(request.account.id, idOf(request))

function switchButton(what: 'enable' | 'disable') {
  const isEnabled = what === 'enable'
  return button('account', {
    ...OF_WEBHOOKS,
    path: `${PATH}/${what}`,
    act: (tx, request) => webhooks.setEnabled(tx, idOf(request), isEnabled),
    entry: request => entryOn(`webhook.${what}`, request),
    next: (endpoint, request) => {
      const undo = paths.ofWebhook(request.account.id, endpoint.id, isEnabled ? 'disable' : 'enable')
      const values = { host: hostOf(endpoint) }
      return {
        path: backTo(request),
        flash: flash(isEnabled ? 'webhookEnabled' : 'webhookDisabled', values, { undo }),
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
  act: (tx, request) => webhooks.ping(tx, idOf(request)),
  entry: request => entryOn('webhook.ping', request),
  next: (delivery, request) => ({
    path: paths.delivery(request.account.id, idOf(request), delivery),
    flash: flash('webhookPinged', {}),
  }),
  back: backTo,
})

function backFrom({ id, url }: EndpointDetails, { account }: AccountRequest) {
  const leave = paths.webhook(account.id, id)
  return { leave, crumbs: <NamedLink href={leave} name={url} /> }
}

export const rotateWebhook = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/rotate`,
  load: loadEndpoint,
  fields: () => ({}),
  preview: ({ previous_secret_expires_at: until }) => until ?? '',
  parts: (endpoint, request) => {
    const { webhooks: texts } = request.voice.texts
    const { previous_secret_expires_at: until } = endpoint
    const ends = until === null ? [] : [texts.rotateEnds(request.voice.format.dateTime(until))]
    return {
      ...{ title: texts.rotateTitle, submit: texts.rotateSubmit, isDanger: true, keeps: 'secret' },
      ...backFrom(endpoint, request),
      will: [texts.rotateSigns, texts.rotateAfter, ...ends],
    }
  },
  act: (tx, request) => webhooks.rotateSecret(tx, idOf(request)),
  entry: request => entryOn('webhook.rotate', request),
  next: ({ previous_secret_expires_at: until }, request) => ({
    path: backTo(request),
    flash: flash('webhookRotated', { until: request.voice.format.dateTime(until) }),
  }),
})

export const removeWebhook = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/remove`,
  load: loadEndpoint,
  fields: () => ({}),
  preview: ({ url }) => url,
  parts: (endpoint, request) => {
    const { webhooks: texts } = request.voice.texts
    return {
      ...{ title: texts.removeTitle, submit: texts.removeSubmit, isDanger: true, keeps: 'webhook' },
      ...backFrom(endpoint, request),
      will: [texts.removeNothing, texts.removeLog],
    }
  },
  act: (tx, request) => removeSoon(tx, idOf(request), actorOf(request).who),
  entry: request => entryOn('webhook.remove', request),
  next: ({ endpoint, isRemoved }, { account }): { path: string; flash: Flash } => ({
    path: paths.webhooks(account.id),
    flash: flash(isRemoved ? 'webhookRemoved' : 'webhookRemoving', { host: hostOf(endpoint) }),
  }),
})
