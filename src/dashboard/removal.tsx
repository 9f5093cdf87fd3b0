import type { ComponentChildren } from 'preact'
import { Banner, Head } from '../web/components/parts.tsx'
import type { FormState } from '../web/forms/form.ts'
import { Form } from '../web/forms/form-view.tsx'
import type { Texts } from '../web/texts/texts.ts'
import type { View } from './page.ts'

interface Removal {
  /** That asks whether to remove it, or says that it cannot be. */
  title: string
  crumbs: ComponentChildren
  texts: Texts
  state: FormState
  action: string
  submit: string
  leave: string
  /** What will happen, in sentences. */
  will: readonly string[]
  /** Why it cannot be removed, and what can be done instead; undefined where it can. */
  refusal: { because: readonly string[]; instead: ComponentChildren } | undefined
}

/** A page that asks before something is removed for good, or says why it cannot be. */
export function removalView({ title, crumbs, texts, will, refusal, ...form }: Removal): View {
  const [because, ...others] = refusal?.because ?? []
  return {
    title,
    body: (
      <>
        <Head title={<bdi>{title}</bdi>} crumbs={crumbs} />
        {because === undefined ? (
          <div class="card">
            <Form {...form} texts={texts} isDanger>
              <ul class="will">
                {will.map(sentence => (
                  <li key={sentence}>
                    <bdi>{sentence}</bdi>
                  </li>
                ))}
              </ul>
            </Form>
          </div>
        ) : (
          <Banner tone="warn" action={refusal?.instead}>
            {[because, ...others].map(sentence => (
              <p key={sentence}>{sentence}</p>
            ))}
          </Banner>
        )}
      </>
    ),
  }
}
