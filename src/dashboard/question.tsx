import type { ComponentChildren } from 'preact'
import { Banner, Head } from '../web/components/parts.tsx'
import type { FormState } from '../web/forms/form.ts'
import { Form } from '../web/forms/form-view.tsx'
import type { Texts } from '../web/texts/texts.ts'
import type { View } from './page.ts'

export interface Question {
  /** That asks whether to do it. */
  title: string
  crumbs: ComponentChildren
  texts: Texts
  state: FormState
  action: string
  submit: string
  leave: string
  /** What will happen, in sentences. */
  will: readonly string[]
  /** Why it may be wrong to do it, above all else. */
  doubt?: string | undefined
  isDanger?: boolean
}

/** A page that asks before something is done, and says what will happen. */
export function questionView({ title, crumbs, will, doubt, ...form }: Question): View {
  return {
    title,
    body: (
      <>
        <Head title={<bdi>{title}</bdi>} crumbs={crumbs} />
        {doubt !== undefined && <Banner tone="warn">{doubt}</Banner>}
        <div class="card">
          <Form {...form}>
            <ul class="will">
              {will.map(sentence => (
                <li key={sentence}>
                  <bdi>{sentence}</bdi>
                </li>
              ))}
            </ul>
          </Form>
        </div>
      </>
    ),
  }
}
