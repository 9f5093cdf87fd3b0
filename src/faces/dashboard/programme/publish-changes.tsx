import { unlessMissing } from '#base/problem.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import type { Change } from '#product/programme/publishing/changes.ts'
import type { Publishing } from '#product/programme/publishing/publish.ts'
import type { Plan } from '#product/programme/timetable/schemas.ts'
import type { FrozenPlace } from '#product/programme/versions/schemas.ts'

/** So many of each kind of change are named. */
const MOST = 50

const groups = ['added', 'moved', 'removed'] as const

/** The titles of the abstracts that are named, by their ids. */
export type Titles = ReadonlyMap<string, string>

/** Reads the titles of the abstracts that the list of changes names. */
export async function readChanged(
  tx: ReadTx,
  { timetable, changes }: Pick<Publishing, 'timetable' | 'changes'>,
): Promise<Titles> {
  const titles = new Map<string, string>()
  for (const { slots } of timetable.sessions)
    for (const { abstract } of slots) if (abstract !== null) titles.set(abstract.id, abstract.title)
  // What leaves the programme stands in no session any more.
  for (const { abstract_id: id } of changes.removed.slice(0, MOST)) {
    const abstract = titles.has(id) ? undefined : await unlessMissing(getSubmitted(tx, id))
    if (abstract !== undefined) titles.set(id, abstract.title)
  }
  return titles
}

interface Props extends Pick<Publishing, 'timetable' | 'changes'> {
  titles: Titles
  request: EventRequest
}

/** Lists what changes for visitors, by number. */
export function Changed({ changes, ...props }: Props) {
  const { voice } = props.request
  const { publishing: texts } = voice.texts
  const shown = groups.filter(group => changes[group].length > 0)
  if (shown.length === 0) return null
  return (
    <section class="card stack" aria-labelledby="changes">
      <h2 id="changes">{texts.changes}</h2>
      {shown.map(group => (
        <section key={group} aria-labelledby={`changes-${group}`}>
          <h3 id={`changes-${group}`}>
            {texts.groups[group]} ({voice.format.number(changes[group].length)})
          </h3>
          <ul>
            {changes[group].slice(0, MOST).map(change => (
              <ChangeLine key={change.abstract_id} change={change} {...props} />
            ))}
          </ul>
          {changes[group].length > MOST && <p>{texts.more(changes[group].length - MOST)}</p>}
        </section>
      ))}
    </section>
  )
}

function ChangeLine({
  change: { abstract_id, number, before, after },
  titles,
  timetable,
  request,
}: Omit<Props, 'changes'> & { change: Change }) {
  const { event, voice } = request
  const tell = (places: readonly FrozenPlace[]) =>
    places.map(place => tellPlace(place, timetable, request)).join('; ')
  return (
    <li>
      {number}{' '}
      <a href={paths.abstract(event.id, abstract_id)}>
        <bdi>{titles.get(abstract_id)}</bdi>
      </a>{' '}
      <span class="quiet">
        {before.length > 0 && after.length > 0
          ? voice.texts.publishing.fromTo(tell(before), tell(after))
          : tell(before.length > 0 ? before : after)}
      </span>
    </li>
  )
}

function tellPlace({ session, slot }: FrozenPlace, { rooms }: Plan, { voice }: EventRequest): string {
  const room = rooms.find(({ id }) => id === session.room_id)?.name
  const when = voice.format.dayTime(slot.from)
  return room === undefined ? when : `${when}, ${room}`
}
