import { Markdown } from '#machinery/web/components/markdown.tsx'
import { hasLines, type LegalKind } from '#product/administration/accounts/legal.ts'
import type { LegalText } from '#product/catalog/event-pages/schemas.ts'
import { StoreDocument } from '../document.tsx'
import { paths } from '../paths.ts'
import { type Speech, voiceOf } from '../voice.ts'
import { LegalFoot } from './legal-foot.tsx'
import { PageMeta } from './page-meta.tsx'

interface LegalProps {
  kind: LegalKind
  legal: LegalText
  speech: Speech
  baseUrl: string
}

/** Shows a text that an organizer has written here: the imprint, the privacy notice or the terms. */
export function LegalDocument({ kind, legal: { organizer, text }, speech, baseUrl }: LegalProps) {
  const voice = voiceOf(speech, 'UTC')
  const name = voice.texts.storefront[kind]
  const path = paths.legal(organizer.slug, kind)
  const title = [name, organizer.name]
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={title}
      path={path}
      home={organizer}
      head={<PageMeta url={baseUrl + path} speech={speech} title={title.join(' · ')} />}
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without={kind} />}
    >
      <article class="narrow legal">
        <h1>{name}</h1>
        <Markdown text={text} level={2} hasLines={hasLines(kind)} />
      </article>
    </StoreDocument>
  )
}
