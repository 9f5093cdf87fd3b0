import * as codes from '../../codes/rules.ts'
import { Banner, ButtonLink, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
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
    const title = isUsed ? texts.cannotRemove(code) : texts.removeTitle(code)
    const edit = <ButtonLink href={paths.code(event.id, id)}>{texts.edit}</ButtonLink>
    return {
      title,
      body: (
        <>
          <Head title={<bdi>{title}</bdi>} crumbs={<ToCodes asked={asked} />} />
          {isUsed ? (
            <Banner tone="warn" action={edit}>
              <p>{texts.inUse}</p>
              <p>{texts.insteadOff}</p>
            </Banner>
          ) : (
            <div class="card">
              <Form
                state={state}
                texts={voice.texts}
                action={paths.ofCode(event.id, id, 'remove')}
                submit={texts.removeSubmit}
                leave={paths.code(event.id, id)}
                isDanger
              >
                <ul class="will">
                  <li>{texts.removeNobody}</li>
                  <li>{texts.removeForGood}</li>
                </ul>
              </Form>
            </div>
          )}
        </>
      ),
    }
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
