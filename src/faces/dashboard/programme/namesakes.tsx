import { button } from '#faces/dashboard/frame/button.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Empty, Head, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { judge, listPairs, type Namesake, type Pair } from '#product/programme/book/namesakes.ts'

/** Lists authors who may be one person, for chairs to say whether they are. */
export const namesakesPage = showPage('event', {
  path: '/e/{event}/programme/people',
  permission: 'abstracts',
  belongsTo: '/e/{event}/abstracts',
  load: (tx, { event }) => listPairs(tx, event.id),
  view: (pairs, request) => ({
    title: request.voice.texts.namesakes.title,
    body: <Pairs pairs={pairs} request={request} />,
  }),
})

export const judgeNamesakes = button('event', {
  path: '/e/{event}/programme/people/judge',
  permission: 'abstracts',
  act: (tx, { event }, body) =>
    judge(tx, event.id, {
      ...{ one: body.get('one') ?? '', other: body.get('other') ?? '' },
      same: sameOf(body),
    }),
  entry: ({ event }, body) => ({
    ...{ action: 'programme.people', targetType: 'event', targetId: event.id },
    details: () => ({ same: sameOf(body) }),
  }),
  next: (_, { event }) => ({
    path: paths.programme(event.id, 'people'),
    flash: flash('namesakesJudged', {}),
  }),
  back: ({ event }) => paths.programme(event.id, 'people'),
})

function sameOf(body: URLSearchParams): boolean | null {
  const same = body.get('same')
  return same === 'yes' ? true : same === 'no' ? false : null
}

function Pairs({ pairs, request }: { pairs: readonly Pair[]; request: EventRequest }) {
  const { event, voice } = request
  const { texts } = voice
  return (
    <>
      <Head
        title={texts.namesakes.title}
        crumbs={<a href={paths.programme(event.id, 'publish')}>{texts.publishing.title}</a>}
        about={texts.namesakes.about}
      />
      {pairs.length === 0 && (
        <Empty icon="person" title={texts.namesakes.none}>
          {texts.namesakes.noneAbout}
        </Empty>
      )}
      {pairs.map(pair => (
        <PairCard key={pair.one.fingerprint + pair.other.fingerprint} {...pair} request={request} />
      ))}
    </>
  )
}

function PairCard({ one, other, areOne, isJudged, request }: Pair & { request: EventRequest }) {
  const { event, voice } = request
  const { namesakes: texts } = voice.texts
  const action = paths.programme(event.id, 'people/judge')
  const fields = { one: one.fingerprint, other: other.fingerprint }
  const of = `${one.name}, ${other.name}`
  const state = isJudged ? texts.judged : texts.counted
  return (
    <section class="card stack">
      <ul>
        <Person {...one} request={request} />
        <Person {...other} request={request} />
      </ul>
      <p>{areOne ? state.one : state.two}</p>
      <div class="row">
        {isJudged ? (
          <PostButton action={action} fields={fields} label={`${texts.takeBack}: ${of}`}>
            {texts.takeBack}
          </PostButton>
        ) : (
          <>
            <PostButton action={action} fields={{ ...fields, same: 'yes' }} label={`${texts.one}: ${of}`}>
              {texts.one}
            </PostButton>
            <PostButton action={action} fields={{ ...fields, same: 'no' }} label={`${texts.two}: ${of}`}>
              {texts.two}
            </PostButton>
          </>
        )}
      </div>
    </section>
  )
}

function Person({
  name,
  email,
  orcid,
  affiliation,
  abstracts,
  request,
}: Namesake & { request: EventRequest }) {
  const known = [orcid, email, affiliation].filter(each => each !== null)
  return (
    <li>
      <bdi>
        <b>{name}</b>
      </bdi>
      {known.map(each => (
        <span key={each}>
          {', '}
          <bdi>{each}</bdi>
        </span>
      ))}
      {': '}
      {abstracts.map(({ id, code }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          <a href={paths.abstract(request.event.id, id)}>{code}</a>
        </span>
      ))}
    </li>
  )
}
