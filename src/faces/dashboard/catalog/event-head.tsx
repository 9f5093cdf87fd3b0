import type { ComponentChildren } from 'preact'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import type { Format } from '#machinery/web/format.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { may } from '#product/administration/users/roles.ts'
import type { Event } from '#product/catalog/events/schemas.ts'
import { placeOf } from '#product/catalog/events/when-and-where.ts'
import { isDeletable } from '#product/data-care/deletion/rules.ts'
import { EventStatus } from './event-status.tsx'

/**
 * Shows the head of an event: its whole name, its state, date and place, and one main action.
 *
 * @param slug the name of the account in addresses
 */
export function EventHead({ slug, request }: { slug: string | null; request: EventRequest }) {
  const { account, event, member, voice } = request
  const mayEdit = may(member.role, 'events.edit')
  return (
    <header class="head">
      <div class="title">
        <h1>
          <bdi>{event.title}</bdi>
        </h1>
        <EventStatus status={event.status} texts={voice.texts} />
        {event.archived_at !== null && <Pill tone="off">{voice.texts.events.archived}</Pill>}
      </div>
      <p class="quiet">
        <WhenAndWhere event={event} voice={voice} />
        {event.series_id !== null && (
          <>
            {' · '}
            <a href={paths.series(account.id, event.series_id)}>{voice.texts.series.allDates}</a>
          </>
        )}
      </p>
      <div class="actions">
        {mayEdit && <MainAction event={event} voice={voice} />}
        <MoreActions slug={slug} mayEdit={mayEdit} request={request} />
      </div>
    </header>
  )
}

function MainAction({ event, voice: { texts } }: { event: Event; voice: Voice }) {
  return event.status === 'draft' ? (
    <PostButton action={paths.publishEvent(event.id)} tone="main">
      {texts.overview.publish}
    </PostButton>
  ) : (
    <ButtonLink href={paths.shareEvent(event.id)} main>
      {texts.share.title}
    </ButtonLink>
  )
}

interface MoreProps {
  slug: string | null
  mayEdit: boolean
  request: EventRequest
}

/** Shows what is done seldom, and last what cannot be undone. */
function MoreActions({ slug, mayEdit, request: { account, event, member, voice } }: MoreProps) {
  const { overview: texts, eventPage, page, series } = voice.texts
  const { status } = event
  const actions: ComponentChildren[] = []
  if (slug !== null) actions.push(<a href={paths.publicPage(slug, event.slug)}>{eventPage.see}</a>)
  if (mayEdit && member.event_ids === null) {
    actions.push(<a href={paths.duplicateEvent(event.id)}>{texts.duplicate}</a>)
    actions.push(<a href={paths.repeatEvent(event.id)}>{series.repeat}</a>)
  }
  if (mayEdit && status === 'published')
    actions.push(<PostButton action={paths.completeEvent(event.id)}>{texts.complete}</PostButton>)
  if (mayEdit && (status === 'cancelled' || status === 'completed'))
    actions.push(<PostButton action={paths.publishEvent(event.id)}>{texts.reopen}</PostButton>)
  if (mayEdit)
    actions.push(
      event.archived_at === null ? (
        <PostButton action={paths.archiveEvent(event.id)}>{texts.archive}</PostButton>
      ) : (
        <PostButton action={paths.unarchiveEvent(event.id)}>{texts.unarchive}</PostButton>
      ),
    )
  if (mayEdit && status === 'published')
    actions.push(
      <a class="destructive" href={paths.cancelEvent(event.id)}>
        {texts.cancel}
      </a>,
    )
  if (may(member.role, 'events.delete') && isDeletable(status))
    actions.push(
      <a class="destructive" href={paths.deleteEvent(account.id, event.id)}>
        {texts.delete}
      </a>,
    )
  if (actions.length === 0) return null
  return (
    <details class="menu">
      <summary class="button">{page.more}</summary>
      <ul>
        {actions.map(action => (
          <li>{action}</li>
        ))}
      </ul>
    </details>
  )
}

/** Tells when and where an event is: of a single day also the hours, of several the days, which say enough. */
export function describeWhenAndWhere(
  { starts_at, ends_at, venue, city }: Event,
  { texts, format }: Voice,
): { when: string; where: string } {
  const when = starts_at === null ? texts.events.noDate : describeWhen(starts_at, ends_at, format)
  return { when, where: placeOf({ venue, city }) }
}

function describeWhen(from: string, until: string | null, format: Format): string {
  if (until !== null && format.date(from) !== format.date(until)) return format.dates(from, until)
  const hours = until === null ? format.time(from) : `${format.time(from)} – ${format.time(until)}`
  return `${format.weekday(from)}, ${hours}`
}

function WhenAndWhere({ event, voice }: { event: Event; voice: Voice }) {
  const { when, where } = describeWhenAndWhere(event, voice)
  return (
    <>
      {when}
      {where !== '' && (
        <>
          {' · '}
          <bdi>{where}</bdi>
        </>
      )}
    </>
  )
}
