import { TicketTabs } from '#faces/dashboard/catalog/ticket-tabs.tsx'
import { button } from '#faces/dashboard/frame/button.ts'
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

interface Row extends Question {
  isFirst: boolean
  isLast: boolean
}

interface Loaded {
  active: readonly Row[]
  retired: readonly Row[]
  typeNames: ReadonlyMap<string, string>
}

export const questionsPage = showPage('event', {
  path: '/e/{event}/tickets/questions',
  permission: 'events.edit',
  load: async (tx, { event }): Promise<Loaded> => {
    const all = await questions.list(tx, event.id)
    const types = await registrationTypes.listByEvent(tx, event.id)
    const rowsOf = (some: readonly Question[]) =>
      some.map((each, at) => ({ ...each, isFirst: at === 0, isLast: at === some.length - 1 }))
    return {
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
  { typeNames }: Loaded,
  { event }: EventRequest,
): List<Row> {
  return {
    caption: texts => texts.questions[caption],
    columns: [
      {
        label: texts => texts.questions.label,
        place: 'name',
        cell: ({ id, label }) => (
          <a href={paths.question(event.id, id)}>
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
              action={paths.ofQuestion(event.id, row.id, 'ask')}
              label={`${texts.questions.askAgain}: ${row.label}`}
            >
              {texts.questions.askAgain}
            </PostButton>
          ) : (
            <MoveButtons row={row} eventId={event.id} texts={texts} />
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

function MoveButtons({ row, eventId, texts }: { row: Row; eventId: string } & Pick<Voice, 'texts'>) {
  const { id, label, isFirst, isLast } = row
  const action = paths.ofQuestion(eventId, id, 'move')
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
  const { questions: texts } = voice.texts
  const tabs = <TicketTabs current={paths.questions(event.id)} request={request} />
  const create = (
    <ButtonLink href={paths.newQuestion(event.id)} main>
      {texts.newQuestion}
    </ButtonLink>
  )
  if (loaded.active.length + loaded.retired.length === 0) {
    return (
      <>
        <Head title={texts.title} />
        {tabs}
        <Empty icon="list" title={texts.none} action={create}>
          {texts.noneAbout}
        </Empty>
      </>
    )
  }
  const actions = (
    <>
      <ButtonLink href={paths.previewQuestions(event.id)}>{texts.preview}</ButtonLink>
      {create}
    </>
  )
  return (
    <>
      <Head title={texts.title} about={texts.about} actions={actions} />
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

export const moveQuestion = button('event', {
  path: '/e/{event}/tickets/questions/{question}/move',
  permission: 'events.edit',
  act: async (tx, { event, params }, body) => {
    const id = params.question ?? ''
    await questions.move(tx, event.id, id, directionOf(body))
    return questions.get(tx, event.id, id)
  },
  entry: (_, body) => ({
    action: 'question.move',
    targetType: 'question',
    targetOf: ({ id }) => id,
    details: () => ({ direction: directionOf(body) }),
  }),
  next: ({ label }, { event }, _, body) => ({
    path: paths.questions(event.id),
    flash: flash('typeMoved', { name: label, direction: directionOf(body) }),
  }),
  back: ({ event }) => paths.questions(event.id),
})

function directionOf(body: URLSearchParams): 'up' | 'down' {
  return body.get('direction') === 'up' ? 'up' : 'down'
}

const setting = (what: 'retire' | 'ask', retired: boolean) =>
  button('event', {
    path: `/e/{event}/tickets/questions/{question}/${what}`,
    permission: 'events.edit',
    act: (tx, { event, params }) => questions.setRetired(tx, event.id, params.question ?? '', retired),
    entry: () => ({ action: `question.${what}`, targetType: 'question', targetOf: ({ id }) => id }),
    next: ({ label }, { event }) => ({
      path: paths.questions(event.id),
      flash: flash(retired ? 'questionRetired' : 'questionAsked', { name: label }),
    }),
    back: ({ event }) => paths.questions(event.id),
  })

export const retireQuestion = setting('retire', true)
export const askQuestion = setting('ask', false)
