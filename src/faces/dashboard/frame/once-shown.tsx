import { Copyable } from '../web/components/copyable.tsx'
import { Banner, ButtonLink, Head } from '../web/components/parts.tsx'
import type { Texts } from '../web/texts/texts.ts'

interface OnceShownProps {
  texts: Texts
  title: string
  /** That it is shown only now, and what to do with it. */
  about: string
  label: string
  secret: string
  done: { href: string; text: string }
}

/** A secret that was made by a form: in the answer to the form, and on no page after it. */
export function OnceShown({ texts, title, about, label, secret, done }: OnceShownProps) {
  return (
    <>
      <Head title={<bdi>{title}</bdi>} />
      <Banner tone="warn">
        <p>{about}</p>
      </Banner>
      <div class="card stack">
        <Copyable label={label} text={secret} texts={texts} />
        <ButtonLink href={done.href}>{done.text}</ButtonLink>
      </div>
    </>
  )
}
