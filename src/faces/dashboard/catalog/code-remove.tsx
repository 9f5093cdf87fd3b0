import * as codes from '../../codes/rules.ts'
import { ButtonLink } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { removalView } from '../removal.tsx'
import { loadCode, ToCodes } from './code-forms.tsx'

/** A page that asks first, or says why it cannot be. */
export const removeCode = formPage('event', {
  path: '/e/{event}/tickets/codes/{code}/remove',
  permission: 'events.edit',
  load: loadCode,
  fields: () => ({}),
  seen: ({ code }) => code.code,
  view: ({ code: { id, code }, isUsed }, asked, state) => {
    const { event, voice } = asked
    const { codes: texts } = voice.texts
    return removalView({
      ...{ state, texts: voice.texts, crumbs: <ToCodes asked={asked} /> },
      title: isUsed ? texts.cannotRemove(code) : texts.removeTitle(code),
      action: paths.ofCode(event.id, id, 'remove'),
      submit: texts.removeSubmit,
      leave: paths.code(event.id, id),
      will: [texts.removeNobody, texts.removeForGood],
      refusal: isUsed
        ? {
            because: [texts.inUse, texts.insteadOff],
            instead: <ButtonLink href={paths.code(event.id, id)}>{texts.edit}</ButtonLink>,
          }
        : undefined,
    })
  },
  act: (tx, { account, event }, { loaded: { code } }) =>
    codes.remove(tx, account.id, event.id, code.id).then(() => code),
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
