import { TicketTabs } from '#faces/dashboard/catalog/ticket-tabs.tsx'
import { button } from '#faces/dashboard/frame/button.ts'
import type { Page } from '#faces/dashboard/frame/page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Icon } from '#machinery/web/components/icon.tsx'
import { ButtonLink, Empty, Head, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import { getQuestion, type QuestionPlace } from './question-place.ts'

interface Row extends Question {
  isFirst: boolean
  isLast: boolean
}

interface Loaded {
  place: QuestionPlace
  active: readonly Row[]
  retired: readonly Row[]
  typeNames: ReadonlyMap<string, string>
}

const listAt = (place: QuestionPlace) =>
  showPage('event', {
    path: place.path,
    permission: place.permission,
    load: async (tx, { event }): Promise<Loaded> => {
      const all = await place.list(tx, event.id)
      const types = await registrationTypes.listByEvent(tx, event.id)
      const rowsOf = (some: readonly Question[]) =>
        some.map((each, at) => ({ ...each, isFirst: at === 0, isLast: at === some.length - 1 }))
      return {
        place,
        active: rowsOf(all.filter(({ retired }) => !retired)),
        retired: rowsOf(all.filter(({ retired }) => retired)),
        typeNames: new Map(types.map(({ id, name }) => [id, name])),
      }
    },
    view: (loaded, request) => ({
      title: request.voice.texts.questions.title,
      body: <QuestionsOfEvent loaded={loaded} request={request} />,
    }),
  })

function listOf(
  caption: 'caption' | 'retiredCaption',
  { place, typeNames }: Loaded,
  { event }: EventRequest,
): List<Row> {
  return {
    caption: texts => texts.questions[caption],
    columns: [
      {
        label: texts => texts.questions.label,
        place: 'name',
        cell: ({ id, label }) => (
          <a href={place.at(event.id, id)}>
            <bdi>{label}</bdi>
          </a>
        ),
      },
      {
        label: texts => texts.questions.kind,
        place: 'line',
        cell: ({ kind, required }, { texts }) => (
          <span class="row">
            <span>{texts.questions.kinds[kind]}</span>
            <Pill tone={required ? 'good' : undefined}>
              {required ? texts.questions.must : texts.questions.may}
            </Pill>
          </span>
        ),
      },
      {
        label: texts => texts.questions.scope,
        place: 'wide',
        cell: (row, voice) => <Scope row={row} voice={voice} typeNames={typeNames} />,
      },
      {
        label: texts => texts.questions.order,
        place: 'when',
        cell: (row, { texts }) =>
          row.retired ? (
            <PostButton
              action={place.at(event.id, row.id, 'ask')}
              label={`${texts.questions.askAgain}: ${row.label}`}
            >
              {texts.questions.askAgain}
            </PostButton>
          ) : (
            <MoveButtons row={row} action={place.at(event.id, row.id, 'move')} texts={texts} />
          ),
      },
    ],
  }
}

interface ScopeProps {
  row: Question
  voice: Voice
  typeNames: Loaded['typeNames']
}

function Scope({ row, voice: { texts, format }, typeNames }: ScopeProps) {
  const ids = row.registration_type_ids
  return (
    <>
      {texts.questions.scopeOf[row.asked_for]}
      {row.for_reviewers && <div class="small quiet">{texts.questions.forReviewers}</div>}
      {ids !== null && (
        <div class="small quiet">
          <bdi>
            {ids.length === 0 ? texts.questions.noTypes : format.list(ids.map(id => typeNames.get(id) ?? ''))}
          </bdi>
        </div>
      )}
    </>
  )
}

function MoveButtons({ row, action, texts }: { row: Row; action: string } & Pick<Voice, 'texts'>) {
  const { label, isFirst, isLast } = row
  return (
    <span class="row whole">
      {!isFirst && (
        <PostButton action={action} fields={{ direction: 'up' }} label={texts.tickets.up(label)}>
          <Icon name="raise" />
        </PostButton>
      )}
      {!isLast && (
        <PostButton action={action} fields={{ direction: 'down' }} label={texts.tickets.down(label)}>
          <Icon name="lower" />
        </PostButton>
      )}
    </span>
  )
}

function QuestionsOfEvent({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const { questions: texts, abstracts } = voice.texts
  const { place } = loaded
  const isOfOrders = place.of === 'orders'
  const tabs = isOfOrders && <TicketTabs current={place.at(event.id)} request={request} />
  const crumbs = isOfOrders ? undefined : <a href={paths.abstracts(event.id)}>{abstracts.title}</a>
  const create = (
    <ButtonLink href={place.at(event.id, 'new')} main>
      {texts.newQuestion}
    </ButtonLink>
  )
  if (loaded.active.length + loaded.retired.length === 0) {
    return (
      <>
        <Head title={texts.title} crumbs={crumbs} />
        {tabs}
        <Empty icon="list" title={texts.none} action={create}>
          {texts.noneAbout[place.of]}
        </Empty>
      </>
    )
  }
  const actions = (
    <>
      {isOfOrders && <ButtonLink href={paths.previewQuestions(event.id)}>{texts.preview}</ButtonLink>}
      {create}
    </>
  )
  return (
    <>
      <Head title={texts.title} about={texts.about[place.of]} crumbs={crumbs} actions={actions} />
      {tabs}
      <div class="stack">
        {loaded.active.length > 0 && (
          <Table list={listOf('caption', loaded, request)} rows={loaded.active} voice={voice} />
        )}
        {loaded.retired.length > 0 && (
          <Table
            list={listOf('retiredCaption', loaded, request)}
            rows={loaded.retired}
            voice={voice}
            hasHeading
          />
        )}
      </div>
    </>
  )
}

const moveAt = (place: QuestionPlace) =>
  button('event', {
    path: `${place.path}/{${place.id}}/move`,
    permission: place.permission,
    act: async (tx, request, body) => {
      const question = await getQuestion(tx, request, place)
      await questions.move(tx, request.event.id, question.id, directionOf(body))
      return question
    },
    entry: (_, body) => ({
      action: 'question.move',
      targetType: 'question',
      targetOf: ({ id }) => id,
      details: () => ({ direction: directionOf(body) }),
    }),
    next: ({ label }, { event }, _, body) => ({
      path: place.at(event.id),
      flash: flash('typeMoved', { name: label, direction: directionOf(body) }),
    }),
    back: ({ event }) => place.at(event.id),
  })

function directionOf(body: URLSearchParams): 'up' | 'down' {
  return body.get('direction') === 'up' ? 'up' : 'down'
}

const settingAt = (place: QuestionPlace, what: 'retire' | 'ask', retired: boolean) =>
  button('event', {
    path: `${place.path}/{${place.id}}/${what}`,
    permission: place.permission,
    act: async (tx, request) => {
      const { id } = await getQuestion(tx, request, place)
      return questions.setRetired(tx, request.event.id, id, retired)
    },
    entry: () => ({ action: `question.${what}`, targetType: 'question', targetOf: ({ id }) => id }),
    next: ({ label }, { event }) => ({
      path: place.at(event.id),
      flash: flash(retired ? 'questionRetired' : 'questionAsked', { name: label }),
    }),
    back: ({ event }) => place.at(event.id),
  })

/** Returns the pages that list and order questions at a place. */
export const questionsAt = (place: QuestionPlace): Page[] => [
  listAt(place),
  moveAt(place),
  settingAt(place, 'retire', true),
  settingAt(place, 'ask', false),
]
