import { Problem } from '#base/problem.ts'
import { ownForm } from '#faces/dashboard/frame/own-form.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { emailField } from '#machinery/web/forms/field.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'

const fields = { email: emailField({ label: texts => texts.signIn.email }, 'username') }

/** Mails a link for a new password. Without mail, it says who can help. Everybody gets the same answer, whoever they are. */
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
  submit: async (services, context, { address, requestId, device }, { values, loaded: isMailed }) => {
    if (!isMailed) return { to: { path: paths.forgotten } }
    const retryAfter = await services.forgotten.ask(values.email, { address, requestId, device })
    if (retryAfter !== undefined) {
      context.set('Retry-After', String(retryAfter))
      throw new Problem('rate_limited')
    }
    return { to: { path: paths.signIn, flash: flash('resetMailed', {}) } }
  },
})
