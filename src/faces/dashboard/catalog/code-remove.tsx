import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { removal } from '#faces/dashboard/frame/form-parts.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { loadCode, ToCodes } from './code-forms.tsx'

/** Asks before it removes a code, or says why that is impossible. */
export const removeCode = formPage('event', {
  path: '/e/{event}/tickets/codes/{code}/remove',
  permission: 'events.edit',
  load: loadCode,
  fields: () => ({}),
  preview: ({ code }) => code.code,
  parts: ({ code: { id, code }, isUsed }, request) => {
    const { codes: texts } = request.voice.texts
    const leave = paths.code(request.event.id, id)
    return removal({
      keeps: 'code',
      title: isUsed ? texts.cannotRemove(code) : texts.removeTitle(code),
      crumbs: <ToCodes request={request} />,
      submit: texts.removeSubmit,
      leave,
      will: [texts.removeNobody, texts.removeForGood],
      refusal: isUsed
        ? {
            because: [texts.inUse, texts.insteadOff],
            instead: <ButtonLink href={leave}>{texts.edit}</ButtonLink>,
          }
        : undefined,
    })
  },
  act: (tx, { event }, { loaded: { code } }) => codes.remove(tx, event.id, code.id).then(() => code),
  entry: ({ params }) => ({
    action: 'code.remove',
    targetType: 'code',
    targetId: params.code,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.code }),
  }),
  next: ({ code }, { event }) => ({
    path: paths.codes(event.id),
    flash: flash('ticketRemoved', { name: code }),
  }),
})
