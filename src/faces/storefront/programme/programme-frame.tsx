import type { ComponentChildren } from 'preact'
import { LocalDays } from '#base/time.ts'
import { assetPath } from '#machinery/web/assets/assets.ts'
import { Icon } from '#machinery/web/components/icon.tsx'
import { Banner } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import type { PublicFrame, PublicPlace } from '#product/programme/published/schemas.ts'
import { StoreDocument } from '../document.tsx'
import { LegalFoot } from '../pages/legal-foot.tsx'
import { PageMeta } from '../pages/page-meta.tsx'
import { pathOf, paths } from '../paths.ts'
import { inSpeech, type Speech } from '../voice.ts'

/** What pages of a programme show of the event around it. */
export interface Host {
  organizer: EventPage['organizer']
  event: Pick<EventPage['event'], 'title' | 'slug' | 'status' | 'visibility' | 'timezone'>
  code: EventPage['code']
}

export function hostOf({ organizer, event, code }: EventPage): Host {
  const { title, slug, status, visibility, timezone } = event
  return { organizer, event: { title, slug, status, visibility, timezone }, code }
}

export interface FrameProps {
  host: Host
  frame: PublicFrame
  speech: Speech
  voice: Voice
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
}

/** Returns the address of a page of a programme for its visitor. @param what below that of the programme */
export function addressOf({ organizer, event, code }: Host, speech: Speech, what?: string): string {
  return inSpeech(speech, paths.programme(organizer.slug, event.slug, what), code)
}

/** Every page of a programme has this frame, and the search. */
export function ProgrammeFrame({
  title,
  what,
  heading,
  search,
  children,
  ...props
}: FrameProps & {
  /** Of the page. */
  title: string
  /** The address of the page below that of the programme. It is undefined for a search, which no search engine lists. */
  what: string | undefined
  /** What stands above the search. Without it, the search stands below everything. */
  heading?: ComponentChildren
  search?: string
  children: ComponentChildren
}) {
  const { host, speech, voice, baseUrl } = props
  const { organizer, event, code } = host
  const { agenda, storefront } = voice.texts
  const path = `${paths.programme(organizer.slug, event.slug)}${what ?? ''}`
  const isListed = what !== undefined && event.visibility === 'public' && code === null
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={title === agenda.title ? [title, event.title] : [title, agenda.title, event.title]}
      path={inSpeech({ ...speech, isChosen: false }, path, code)}
      home={organizer}
      head={
        <>
          <link rel="stylesheet" href={assetPath('agenda.css')} />
          {isListed ? (
            <PageMeta url={baseUrl + path} speech={speech} title={`${title} · ${event.title}`} />
          ) : (
            <meta name="robots" content="noindex" />
          )}
        </>
      }
      foot={<LegalFoot organizer={organizer} speech={speech} voice={voice} without="terms" />}
    >
      <div class="agenda">
        {event.status === 'cancelled' && (
          <Banner tone="bad">
            <p>{storefront.cancelled}</p>
          </Banner>
        )}
        <p class="no-print">
          <a href={inSpeech(speech, pathOf(host))}>
            <bdi>{event.title}</bdi>
          </a>
        </p>
        {heading}
        {heading !== undefined && <SearchForm {...props} search={search} />}
        {children}
        {heading === undefined && <SearchForm {...props} search={search} />}
      </div>
    </StoreDocument>
  )
}

function SearchForm({ host, frame, speech, voice, search }: FrameProps & { search: string | undefined }) {
  const { agenda } = voice.texts
  const { organizer, event, code } = host
  return (
    <search class="no-print">
      <form class="search" method="get" action={paths.programme(organizer.slug, event.slug)}>
        {code !== null && <input type="hidden" name="code" value={code} />}
        {speech.isChosen && <input type="hidden" name="lang" value={speech.language} />}
        <label for="q">{agenda.search}</label>
        <p class="quiet small" id="q-help">
          {frame.textsFrom === null ? agenda.searchHelp : agenda.searchHelpEarly}
        </p>
        <p class="row">
          <input
            id="q"
            name="q"
            type="search"
            maxlength={200}
            value={search ?? ''}
            aria-describedby="q-help"
          />
          <button type="submit" class="button">
            <Icon name="search" />
            <span>{agenda.find}</span>
          </button>
        </p>
      </form>
    </search>
  )
}

/** Leads to all sessions for a calendar, and to the book. */
export function Downloads({ host, speech, voice }: FrameProps) {
  const { agenda } = voice.texts
  return (
    <p class="row no-print">
      <a class="button" href={addressOf(host, speech, 'calendar.ics')}>
        {agenda.calendarAll}
      </a>
      <a class="button" href={addressOf(host, speech, 'book')}>
        {agenda.book}
      </a>
    </p>
  )
}

/** Shows when and where something stands, in one line with a link to its day. */
export function PlaceLine({ place, ...props }: FrameProps & { place: PublicPlace }) {
  const { host, speech, voice } = props
  const { texts, format } = voice
  const { from, to, room, title, id } = place
  return (
    <>
      <a href={`${dayAddress(host, speech, new LocalDays(host.event.timezone).of(from).date)}#s-${id}`}>
        {format.weekday(from)}, <time datetime={new Date(from).toISOString()}>{format.time(from)}</time>–
        {format.time(to)}
      </a>
      <span class="quiet">
        {room !== null && (
          <>
            {' '}
            · <bdi>{room}</bdi>
          </>
        )}{' '}
        · <bdi>{title ?? texts.agenda.session}</bdi>
      </span>
    </>
  )
}

/** Returns the address of a day. @param day `YYYY-MM-DD` */
export function dayAddress({ organizer, event, code }: Host, speech: Speech, day: string): string {
  return inSpeech(speech, withQuery(paths.programme(organizer.slug, event.slug), { day }), code)
}
