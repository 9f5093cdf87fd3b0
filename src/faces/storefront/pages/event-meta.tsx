import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import { sharedOf } from '#product/catalog/events/picture-sizes.ts'
import { eventData, summaryOf } from '../event-data.ts'
import { JsonLd } from '../json-ld.tsx'
import { coverOf, pathOf } from '../paths.ts'
import type { Speech } from '../voice.ts'
import { addressIn, PageMeta } from './page-meta.tsx'

interface EventMetaProps {
  page: EventPage
  speech: Speech
  voice: Voice
  baseUrl: string
  isPreview: boolean
}

/** Adds the data for search engines, and for apps that show a preview of a shared address. */
export function EventMeta({ page, speech, voice, baseUrl, isPreview }: EventMetaProps) {
  const { event, organizer, picture } = page
  const url = baseUrl + pathOf(page)
  const summary = summaryOf(page, voice)
  const shared = picture && sharedOf(picture)
  return (
    <>
      {summary !== null && <meta name="description" content={summary} />}
      {(isPreview || event.visibility !== 'public') && <meta name="robots" content="noindex" />}
      <PageMeta url={url} speech={speech} title={event.title} />
      {summary !== null && <meta property="og:description" content={summary} />}
      <meta property="og:site_name" content={organizer.name} />
      {shared !== null && (
        <>
          <meta property="og:image" content={`${baseUrl}${coverOf(page, shared)}`} />
          <meta property="og:image:type" content={shared.type} />
          <meta property="og:image:width" content={String(shared.width)} />
          <meta property="og:image:height" content={String(shared.height)} />
        </>
      )}
      <meta name="twitter:card" content={shared === null ? 'summary' : 'summary_large_image'} />
      <JsonLd data={eventData(page, voice, addressIn(url, speech), baseUrl)} />
    </>
  )
}
