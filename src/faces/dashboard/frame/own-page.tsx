import type { ComponentChildren } from 'preact'
import { Head } from '../web/components/parts.tsx'
import type { OfUser } from './asked.ts'
import { paths } from './paths.ts'

interface OwnPageProps {
  asked: OfUser
  title: string
  about?: string | undefined
  children: ComponentChildren
}

/** A page below the profile of whoever is signed in. */
export function OwnPage({ asked, title, about, children }: OwnPageProps) {
  return (
    <>
      <Head
        title={title}
        about={about}
        crumbs={<a href={paths.profile}>{asked.voice.texts.profile.title}</a>}
      />
      <div class="card stack">{children}</div>
    </>
  )
}
