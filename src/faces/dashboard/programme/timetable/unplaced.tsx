import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { withBack } from '#faces/dashboard/frame/way-back.ts'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { type Placeable, presetMinutes } from '#product/programme/timetable/placeable.ts'
import type { Programme } from './read-programme.ts'

/** So many stand on the page, until all are asked for. */
const FEW = 50

/** Which day of a programme is shown, and which abstracts beside it. */
export interface Filter {
  day?: string | undefined
  topic?: string | undefined
  kind?: string | undefined
  all?: string | undefined
}

export function readFilter({ query }: EventRequest): Filter {
  const read = (name: string, form: RegExp) => {
    const text = query.get(name) ?? ''
    return form.test(text) ? text : undefined
  }
  const id = /^[0-9a-f-]{36}$/
  return {
    day: read('day', /^\d{4}-\d{2}-\d{2}$/),
    ...{ topic: read('topic', id), kind: read('kind', id), all: read('all', /^yes$/) },
  }
}

/** Returns the address of the programme as it is shown. */
export function addressOf({ event }: EventRequest, filter: Filter): string {
  return withQuery(paths.programme(event.id), { ...filter })
}

/** Returns whether an abstract has the topic and the kind that are asked for. */
export function fits({ topic_id, kind_id }: Placeable, { topic, kind }: Filter): boolean {
  return (topic === undefined || topic_id === topic) && (kind === undefined || kind_id === kind)
}

type UnplacedProps = Programme & {
  unplaced: readonly Placeable[]
  filter: Filter
  request: EventRequest
}

/** Lists the accepted abstracts that stand in no session. */
export function Unplaced({ unplaced, topics, kinds, filter, request }: UnplacedProps) {
  const { event, voice } = request
  const { timetable: texts } = voice.texts
  const some = unplaced.filter(each => fits(each, filter))
  const shown = filter.all === undefined ? some.slice(0, FEW) : some
  const back = addressOf(request, filter)
  return (
    <section class="card stack unplaced" aria-labelledby="unplaced">
      <h2 id="unplaced">{texts.unplaced(unplaced.length)}</h2>
      {unplaced.length === 0 && <p class="quiet">{texts.unplacedNone}</p>}
      {unplaced.length > 0 && (
        <Filters
          {...{ topics, kinds, filter, request }}
          action={paths.programme(event.id)}
          kept={{ day: filter.day }}
        />
      )}
      {unplaced.length > 0 && some.length === 0 && <p class="quiet">{texts.unplacedNoneHere}</p>}
      {shown.length > 0 && (
        <>
          <p class="quiet small" data-scripted hidden>
            {texts.dragHint}
          </p>
          <ul class="slots">
            {shown.map(each => (
              <li key={each.id} data-abstract={each.id}>
                <span>
                  <a href={paths.abstract(event.id, each.id)}>
                    <bdi class="quiet">{each.code}</bdi> <bdi>{each.title}</bdi>
                  </a>{' '}
                  <bdi class="quiet small">{describe(each, { topics, kinds }, request)}</bdi>
                </span>
                <ButtonLink
                  href={withBack(paths.placeAbstract(event.id, each.id), back)}
                  label={texts.placeName(each.title)}
                >
                  {texts.place}
                </ButtonLink>
              </li>
            ))}
          </ul>
        </>
      )}
      {shown.length < some.length && (
        <p>
          <a href={addressOf(request, { ...filter, all: 'yes' })}>{texts.showAll(some.length)}</a>
        </p>
      )}
    </section>
  )
}

/** Says who presents an abstract, and how long it takes. */
export function describe(
  each: Placeable,
  { topics, kinds }: Pick<Programme, 'topics' | 'kinds'>,
  { voice }: EventRequest,
): string {
  const { timetable: texts } = voice.texts
  const minutes = presetMinutes(each, kinds)
  const kind = kinds.find(({ id }) => id === each.kind_id)?.name
  const topic = topics.find(({ id }) => id === each.topic_id)?.name
  // A kind that hangs says so by its name.
  const length = minutes > 0 ? texts.minutes(minutes) : kind === undefined && texts.poster
  return [each.by, topic, kind, length].filter(Boolean).join(' · ')
}

interface FiltersProps extends Pick<UnplacedProps, 'topics' | 'kinds' | 'filter' | 'request'> {
  /** The address of the page that is narrowed. */
  action: string
  /** What else its address says. */
  kept: Readonly<Record<string, string | undefined>>
}

/** Narrows a page to the abstracts of a topic and a kind. */
export function Filters({ topics, kinds, filter, action, kept, request }: FiltersProps) {
  const { timetable: texts } = request.voice.texts
  const choices = [
    { name: 'topic', label: texts.topic, any: texts.anyTopic, of: offered(topics), chosen: filter.topic },
    { name: 'kind', label: texts.kind, any: texts.anyKind, of: offered(kinds), chosen: filter.kind },
  ].filter(({ of }) => of.length > 0)
  if (choices.length === 0) return null
  return (
    <form method="get" action={action} class="row">
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      {choices.map(({ name, label, any, of, chosen }) => (
        <span key={name} class="field">
          <label for={name}>{label}</label>
          <select id={name} name={name}>
            <option value="">{any}</option>
            {of.map(choice => (
              <option key={choice.id} value={choice.id} selected={choice.id === chosen}>
                {choice.name}
              </option>
            ))}
          </select>
        </span>
      ))}
      <button type="submit" class="button">
        {texts.show}
      </button>
    </form>
  )
}
