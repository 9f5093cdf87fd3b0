import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { emailField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { ownForm } from '../own-form.ts'
import { paths } from '../paths.ts'

const fields = { email: emailField({ label: texts => texts.signIn.email }, 'username') }

/** Mails a link for a new password; without mail, says who can help. The same to everybody, whoever they may be. */
export const forgotten = ownForm('public', {
  path: '/forgotten',
  load: async ({ mail }) => mail.isSetUp,
  fields: () => fields,
  view: (isMailed, { voice: { texts } }, state) => {
    const { forgottenTitle: title, forgottenAbout, forgottenSubmit, forgotten: without } = texts.signIn
    return {
      title,
      body: (
        <div class="stack">
          <Head title={title} />
          {isMailed ? (
            <div class="card stack">
              <p>{forgottenAbout}</p>
              <Form
                state={state}
                texts={texts}
                action={paths.forgotten}
                submit={forgottenSubmit}
                leave={paths.signIn}
                isGuarded={false}
              />
            </div>
          ) : (
            <p>{without}</p>
          )}
        </div>
      ),
    }
  },
  submit: async (services, context, { address, requestId }, { values, loaded: isMailed }) => {
    if (!isMailed) return { to: { path: paths.forgotten } }
    const retryAfter = await services.forgotten.ask(values.email, { address, requestId })
    if (retryAfter !== undefined) {
      context.set('Retry-After', String(retryAfter))
      throw new Problem('rate_limited')
    }
    return { to: { path: paths.signIn, flash: flash('resetMailed', {}) } }
  },
})
