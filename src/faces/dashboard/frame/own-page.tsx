import type { ComponentChildren } from 'preact'
import { Head } from '#machinery/web/components/parts.tsx'
import type { Texts } from '#texts/texts.ts'
import type { UserRequest } from './page-request.ts'
import { paths } from './paths.ts'

interface OwnPageProps {
  request: UserRequest
  title: string
  about?: string | undefined
  children: ComponentChildren
}

/** Renders a page below the profile of the signed-in user. */
export function OwnPage({ request, title, about, children }: OwnPageProps) {
  return (
    <>
      <Head
        title={title}
        about={about}
        crumbs={<a href={paths.profile}>{request.voice.texts.profile.title}</a>}
      />
      <div class="card stack">{children}</div>
    </>
  )
}

/** Returns the form parts that lead back to the profile. */
export function backToProfile({ profile }: Texts) {
  return { crumbs: profile.title, leave: paths.profile, isOnCard: true }
}
