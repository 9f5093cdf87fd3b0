import { allProblems, type ProblemCode } from '#base/problem.ts'
import { type ActorNames, describeActor } from '#faces/dashboard/frame/actors.ts'
import { Time } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import type { TimelineItem } from '#product/guests/registrations/timeline.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'

interface TimelineProps {
  items: readonly TimelineItem[]
  guest: Details
  names: ActorNames
  /** The labels of the questions of the event, by the keys of their answers. */
  labels: ReadonlyMap<string, string>
  voice: Voice
}

/** Shows what has happened to a registration, newest first. */
export function Timeline({ items, guest, names, labels, voice }: TimelineProps) {
  const { texts, format } = voice
  return (
    <section class="card" aria-labelledby="timeline">
      <h2 id="timeline">{texts.guests.timeline}</h2>
      <p class="small quiet">{texts.page.timesIn(format.timezone)}</p>
      <ol class="timeline">
        {items.map((item, at) => (
          <li key={at} class={toneOf(item)}>
            <span>
              <bdi>{sentenceOf(item, guest, labels, texts)}</bdi>
            </span>
            {item.kind === 'entry' && <Why item={item} texts={texts} />}
            <span class="small quiet">
              <Time at={item.at} format={format} />
              {item.actor !== null && (
                <>
                  {' '}
                  <bdi>{texts.guests.by(describeActor(item.actor, names, texts))}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Entry = Extract<TimelineItem, { kind: 'entry' }>

function Why({ item: { reason, code }, texts }: { item: Entry; texts: Texts }) {
  const why = [reason, code === null ? null : tellCode(code, texts)].filter(text => text !== null)
  return why.map(text => (
    <span key={text} class="small">
      <bdi>{text}</bdi>
    </span>
  ))
}

function tellCode(code: string, texts: Texts): string {
  const known = code in allProblems ? (code as ProblemCode) : 'internal_error'
  return describeProblem(texts, { code: known, details: {}, message: code })
}

function toneOf(item: TimelineItem): string | undefined {
  if (item.kind === 'created' || item.kind === 'confirmed' || item.kind === 'checked_in') return 'good'
  if (item.kind === 'cancelled' || item.kind === 'refunded' || item.kind === 'erased') return 'bad'
  return undefined
}

function sentenceOf(
  item: TimelineItem,
  guest: Details,
  labels: TimelineProps['labels'],
  { guests, sending, log }: Texts,
): string {
  const { happened } = guests
  const nameOf = (ticketId: string | null) => {
    const at = guest.attendees.findIndex(({ id }) => id === ticketId)
    return guest.attendees[at]?.name ?? guests.ticketNumber(at + 1)
  }
  if (item.kind === 'checked_in') return happened.checkedIn(nameOf(item.attendee_id))
  if (item.kind !== 'entry') return happened[item.kind]
  const isRefused = item.code !== null
  switch (item.action) {
    case 'registration.amend':
      if (isRefused) return happened.changeRefused
      return happened.amended(item.fields.map(field => tellField(field, labels, guests)).join(', '))
    case 'registration.renew_links':
      return isRefused ? happened.changeRefused : happened.linksRenewed
    case 'registration.cancel':
      return happened.cancelRefused
    case 'ticket.send':
      return isRefused ? happened.changeRefused : sending.wasSent
    case 'check_in.undo':
      return isRefused ? happened.changeRefused : happened.undone(nameOf(item.target_id))
    case 'check_in.create':
      return happened.checkInRefused(nameOf(item.target_id))
    default: {
      const actions: Readonly<Record<string, string>> = log.actions
      return isRefused ? happened.changeRefused : (actions[item.action] ?? happened.other(item.action))
    }
  }
}

/** Returns the label of a field of a registration, which an amendment names like `attendees.3.seat`. */
function tellField(field: string, labels: TimelineProps['labels'], { fields }: Texts['guests']): string {
  const [part = '', which = '', ...rest] = field.split('.')
  const answerTo = (key: string) => fields.answer(labels.get(key) ?? key)
  if (part === 'answers') return answerTo([which, ...rest].join('.'))
  if (part === 'attendees') {
    const number = Number(which) + 1
    if (rest[0] === 'answers') return answerTo(rest.slice(1).join('.'))
    if (rest[0] === 'name') return fields.ticketName(number)
    return rest[0] === 'email' ? fields.ticketEmail(number) : fields.ticketSeat(number)
  }
  if (part === 'buyer') return which === 'name' ? fields.buyerName : fields.buyerEmail
  return part === 'language' ? fields.language : fields.note
}
