import { Copyable } from '#machinery/web/components/copyable.tsx'
import { Banner, ButtonLink, Head } from '#machinery/web/components/parts.tsx'
import type { Texts } from '#texts/texts.ts'

interface OnceShownProps {
  texts: Texts
  title: string
  /** Says that the secret is shown only now, and what to do with it. */
  about: string
  label: string
  secret: string
  done: { href: string; text: string }
}

/** Shows a secret that a form made. It stands in the answer to the form and on no later page. */
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
