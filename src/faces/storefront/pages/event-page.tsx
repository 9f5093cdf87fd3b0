import { Icon, type IconName } from '#machinery/web/components/icon.tsx'
import { Markdown } from '#machinery/web/components/markdown.tsx'
import { Banner, Mail } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import type { EventPage } from '#product/catalog/event-pages/schemas.ts'
import type { CallState } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { CalendarLinks } from '../calendar-links.tsx'
import { Cover } from '../cover.tsx'
import { Leaf, When } from '../dates.tsx'
import { StoreDocument } from '../document.tsx'
import { coverOf, pathOf, paths } from '../paths.ts'
import { inSpeech, type Speech, voiceOf } from '../voice.ts'
import { EventMeta } from './event-meta.tsx'
import { LegalFoot } from './legal-foot.tsx'
import { OtherDates } from './other-dates.tsx'
import { Tickets } from './tickets.tsx'

interface PageProps {
  page: EventPage
  /** The call for abstracts of the event. */
  callState: CallState | undefined
  /** Whether its programme is public. */
  hasProgramme: boolean
  speech: Speech
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
  /** A page that only members see has this. It says why, and links to the dashboard. */
  preview?: { kind: 'draft' | 'private'; manage: string } | undefined
}

interface PartProps {
  page: EventPage
  speech: Speech
  voice: Voice
}

/** Shows an event to visitors. */
export function EventDocument({ page, callState, hasProgramme, speech, baseUrl, preview }: PageProps) {
  const { event, organizer } = page
  const voice = voiceOf(speech, event.timezone)
  const part = { page, speech, voice }
  return (
    <StoreDocument
      speech={speech}
      voice={voice}
      title={[event.title, organizer.name]}
      path={pathOf(page)}
      home={organizer}
      head={<EventMeta {...part} baseUrl={baseUrl} isPreview={preview !== undefined} />}
      foot={<Foot {...part} />}
    >
      <article class="occasion">
        <Notices {...part} preview={preview} />
        <Cover
          picture={page.picture}
          seed={event.id}
          addressOf={file => coverOf(page, file)}
          shown="calc(min(100vw, 68rem) - 2rem)"
          when="first"
        />
        <Lead {...part} address={pageForAll(baseUrl, organizer.slug, event)} />
        {event.status !== 'cancelled' && (
          <Tickets page={page} speech={speech} voice={voice} code={page.code} />
        )}
        <About {...part} />
        <OtherDates page={page} speech={speech} />
        {hasProgramme && event.status !== 'cancelled' && <ProgrammeLink {...part} />}
        {callState !== undefined && event.status !== 'cancelled' && <CallLink {...part} call={callState} />}
        <Host {...part} />
      </article>
    </StoreDocument>
  )
}

function Notices({ page, voice, preview }: PartProps & Pick<PageProps, 'preview'>) {
  const { storefront: texts } = voice.texts
  const { status } = page.event
  return (
    <>
      {preview !== undefined && (
        <Banner
          tone="warn"
          action={
            <a class="button" href={preview.manage}>
              {texts.backToEvent}
            </a>
          }
        >
          <p>{texts.previewOf[preview.kind]}</p>
        </Banner>
      )}
      {status === 'cancelled' && (
        <Banner tone="bad">
          <p>{texts.cancelled}</p>
        </Banner>
      )}
      {status !== 'cancelled' && (page.isOver || status === 'completed') && (
        <Banner tone="warn">
          <p>{texts.over}</p>
        </Banner>
      )}
    </>
  )
}

/** Shows the event's name, time and place. @param address of the page, if everybody may see it */
function Lead({ page, speech, voice, address }: PartProps & { address: string | undefined }) {
  const { event, organizer, isOver } = page
  const { storefront: texts } = voice.texts
  const from = event.starts_at === null ? null : Date.parse(event.starts_at)
  const until = event.ends_at === null ? null : Date.parse(event.ends_at)
  return (
    <header class="lead">
      <h1 dir="auto">{event.title}</h1>
      <p class="quiet">
        <bdi>{texts.by(organizer.name)}</bdi>
      </p>
      <ul class="particulars">
        <li>
          {from === null ? <Tile icon="calendar" /> : <Leaf at={from} format={voice.format} />}
          <div>
            <span class="hidden">{texts.when}</span>
            {from === null ? (
              <span class="strong">{texts.dateOpen}</span>
            ) : (
              <When from={from} until={until} format={voice.format} />
            )}
            {from !== null && !isOver && event.status !== 'cancelled' && (
              <span class="row">
                <a href={inSpeech(speech, paths.calendar(organizer.slug, event.slug), page.code)}>
                  {texts.calendar}
                </a>
                <CalendarLinks event={event} page={address} voice={voice} />
              </span>
            )}
          </div>
        </li>
        <Place page={page} voice={voice} />
      </ul>
    </header>
  )
}

const MAP = 'https://www.openstreetmap.org/search'

function Place({ page, voice }: Omit<PartProps, 'speech'>) {
  const { storefront: texts } = voice.texts
  const parts = placesOf(page.event)
  const [first, ...others] = parts
  const query = parts.join(', ').replace(/\s+/g, ' ')
  return (
    <>
      {first !== undefined && (
        <li>
          <Tile icon="pin" />
          <div>
            <span class="hidden">{texts.where}</span>
            <bdi class="strong">{first}</bdi>
            {others.map(other => (
              <bdi key={other} class="quiet lines">
                {other}
              </bdi>
            ))}
            <a href={withQuery(MAP, { query })} rel="noopener noreferrer nofollow">
              {texts.map}
            </a>
          </div>
        </li>
      )}
      {page.isOnline && (
        <li>
          <Tile icon="screen" />
          <div>
            <span class="strong">{first === undefined ? texts.online : texts.alsoOnline}</span>
            <span class="quiet">{texts.onlineAbout}</span>
          </div>
        </li>
      )}
    </>
  )
}

function Tile({ icon }: { icon: IconName }) {
  return (
    <span class="leaf">
      <Icon name={icon} />
    </span>
  )
}

function About({ page, voice }: PartProps) {
  const { description } = page.event
  if (description === null || description.trim() === '') return null
  return (
    <section class="about" aria-labelledby="about">
      <h2 id="about">{voice.texts.storefront.about}</h2>
      <Markdown text={description} />
    </section>
  )
}

function ProgrammeLink({ page: { event, organizer, code }, speech, voice }: PartProps) {
  const { agenda } = voice.texts
  return (
    <section class="about" aria-labelledby="programme">
      <h2 id="programme">{agenda.title}</h2>
      <p>
        <a class="button" href={inSpeech(speech, paths.programme(organizer.slug, event.slug), code)}>
          {agenda.link}
        </a>
      </p>
    </section>
  )
}

function CallLink({
  page: { event, organizer, code },
  call,
  speech,
  voice,
}: PartProps & { call: CallState }) {
  const { calls } = voice.texts
  const deadline = deadlineText(call, event.timezone, voice.format.language)
  const says = {
    before: { about: calls.opensAt(voice.format.dateTime(call.opens_at)), link: calls.linkEarly },
    open: { about: `${calls.deadline}: ${deadline}`, link: calls.link },
    over: { about: calls.isOver(deadline), link: calls.toCall },
  }[call.phase]
  return (
    <section class="about" aria-labelledby="call">
      <h2 id="call">{calls.title}</h2>
      <p class={call.phase === 'open' ? 'strong' : 'quiet'}>{says.about}</p>
      <p>
        <a class="button" href={inSpeech(speech, paths.call(organizer.slug, event.slug), code)}>
          {says.link}
        </a>
      </p>
    </section>
  )
}

function Host({ page: { event, organizer }, speech, voice }: PartProps) {
  const { storefront: texts } = voice.texts
  return (
    <section class="host" aria-labelledby="host">
      <h2 id="host">{texts.organizer}</h2>
      <p class="strong">
        <bdi>{organizer.name}</bdi>
      </p>
      {organizer.legal_name !== null && organizer.legal_name !== organizer.name && (
        <p class="quiet">
          <bdi>{organizer.legal_name}</bdi>
        </p>
      )}
      {organizer.address !== null && (
        <p class="quiet lines">
          <bdi>{organizer.address}</bdi>
        </p>
      )}
      {event.contact_email !== null && (
        <p>
          {texts.contact}: <Mail address={event.contact_email} />
        </p>
      )}
      <p>
        <a href={inSpeech(speech, paths.account(organizer.slug))}>{texts.moreFrom(organizer.name)}</a>
      </p>
    </section>
  )
}

/** Shows the terms of the event itself. Without any, those of the organizer are a page of their own. */
function Foot({ page: { event, organizer }, speech, voice }: PartProps) {
  const foot = { organizer, speech, voice }
  if (event.terms === null) return <LegalFoot {...foot} />
  return (
    <LegalFoot {...foot} without="terms">
      <details>
        <summary>{voice.texts.storefront.terms}</summary>
        <Markdown text={event.terms} />
      </details>
    </LegalFoot>
  )
}
