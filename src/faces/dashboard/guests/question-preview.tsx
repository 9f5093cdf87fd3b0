import type { ReadTx } from '../../db/port.ts'
import { Questions, questionFields } from '../../questions/form.tsx'
import * as questions from '../../questions/rules.ts'
import type { Question } from '../../questions/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { Banner, Facts, Head } from '../../web/components/parts.tsx'
import { choiceField } from '../../web/forms/field.ts'
import type { FormState } from '../../web/forms/form.ts'
import { newForm, readForm, refusedForm } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import { ListTools } from '../../web/lists/list.tsx'
import type { OfEvent, Services } from '../asked.ts'
import type { Context } from '../context.ts'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { answerView } from '../show.tsx'

const page = {
  path: '/e/{event}/tickets/questions/preview',
  level: 'event',
  permission: 'events.edit',
} as const

interface Loaded {
  all: readonly Question[]
  types: readonly TypeDetails[]
  /** Whose ticket is ordered; undefined where there is no type. */
  type: TypeDetails | undefined
}

interface Outcome {
  status: number
  /** The answers as they would be kept. */
  kept?: readonly (readonly [label: string, answer: string])[]
}

async function load(tx: ReadTx, { account, event, query }: OfEvent): Promise<Loaded> {
  const types = await registrationTypes.listDetails(tx, account.id, event.id)
  const type = types.find(({ id }) => id === query.get('type')) ?? types[0]
  return { all: await questions.list(tx, account.id, event.id), types, type }
}

/** The form as whoever orders one ticket sees it. Sent, it is checked, and nothing is saved. */
export const previewQuestions: PageAt<'event'> = {
  ...page,
  get: async (services, context, asked) => {
    const loaded = await services.db.read(tx => load(tx, asked))
    const state = { ...newForm(fieldsOf(loaded, asked), asked.event), formId: undefined }
    await answer(context, asked, loaded, state, { status: 200 })
  },
  post: (services, context, asked) => check(services, context, asked, context.state.body),
  restore: (services, context, asked, typed) => check(services, context, asked, typed),
}

const typeIdsOf = ({ type }: Loaded) => (type === undefined ? [] : [type.id])
const askedIn = (loaded: Loaded) => questions.askedOf(loaded.all, typeIdsOf(loaded))
const fieldsOf = (loaded: Loaded, { voice }: OfEvent) =>
  questionFields(askedIn(loaded), voice.format.language)

async function check(
  services: Services,
  context: Context,
  asked: OfEvent,
  body: URLSearchParams,
): Promise<void> {
  const loaded = await services.db.read(tx => load(tx, asked))
  const fields = fieldsOf(loaded, asked)
  const parsed = questions.parse(loaded.all, typeIdsOf(loaded), questions.readTyped(body))
  const isWrong = 'faults' in parsed
  const faults = new Map(isWrong ? [...parsed.faults].map(([name, fault]) => [name, { fault }]) : [])
  const state = refusedForm(fields, asked.event, readForm(fields, body), { faults })
  const labels = new Map(loaded.all.map(({ key, label }) => [key, label]))
  const answers = isWrong ? [] : [parsed.answers.order, ...parsed.answers.tickets]
  const kept = answers.flatMap(some =>
    Object.entries(some).map(([key, value]) => [labels.get(key) ?? key, value] as const),
  )
  await answer(context, asked, loaded, state, isWrong ? { status: 422 } : { status: 200, kept })
}

async function answer(
  context: Context,
  asked: OfEvent,
  loaded: Loaded,
  state: FormState,
  { status, kept }: Outcome,
): Promise<void> {
  const { event, voice } = asked
  const { texts } = voice
  const { types, type } = loaded
  const path = paths.previewQuestions(event.id)
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  const ids = types.map(({ id }) => id)
  const filters = { type: choiceField(ids, () => choices, { label: texts => texts.questions.previewType }) }
  const { order, tickets } = askedIn(loaded)
  const body = (
    <>
      <Head
        title={texts.questions.preview}
        about={texts.questions.previewAbout}
        crumbs={<a href={paths.questions(event.id)}>{texts.questions.title}</a>}
      />
      <div class="stack">
        {types.length > 1 && (
          <ListTools path={path} query={{ type: type?.id }} voice={voice} filters={filters} />
        )}
        {kept !== undefined && (
          <Banner tone="good">
            <p>{texts.questions.good(kept.length)}</p>
            {kept.length > 0 && (
              <Facts facts={kept.map(([label, value]) => [label, <bdi key={label}>{value}</bdi>] as const)} />
            )}
          </Banner>
        )}
        {order.length + tickets.flat().length === 0 ? (
          <p class="card quiet">{texts.questions.nothingAsked}</p>
        ) : (
          <Form
            state={state}
            texts={texts}
            action={withQuery(path, { type: type?.id })}
            submit={texts.questions.check}
            leave={paths.questions(event.id)}
            isGuarded={false}
          >
            <Questions asked={{ order, tickets }} state={state} texts={texts} />
          </Form>
        )}
      </div>
    </>
  )
  await answerView(context, page, asked, { title: texts.questions.preview, body, status })
}
