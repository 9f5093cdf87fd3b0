import type { Context } from '#faces/dashboard/frame/context.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, Facts, Head } from '#machinery/web/components/parts.tsx'
import { choiceField } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { newForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { ListTools } from '#machinery/web/lists/list.tsx'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { Questions, questionFields } from '#product/guests/questions/form.tsx'
import * as questions from '#product/guests/questions/rules.ts'
import type { Question } from '#product/guests/questions/schemas.ts'

const page = {
  path: '/e/{event}/tickets/questions/preview',
  level: 'event',
  permission: 'events.edit',
} as const

interface Loaded {
  all: readonly Question[]
  types: readonly TypeDetails[]
  /** The type of the ordered ticket. It is undefined if there is no type. */
  type: TypeDetails | undefined
}

interface Outcome {
  status: number
  /** The answers as they would be kept. */
  kept?: readonly (readonly [label: string, answer: string])[]
}

async function load(tx: ReadTx, { event, query }: EventRequest): Promise<Loaded> {
  const types = await registrationTypes.listDetails(tx, event.id)
  const type = types.find(({ id }) => id === query.get('type')) ?? types[0]
  return { all: await questions.list(tx, event.id), types, type }
}

/** Shows the form as a buyer of one ticket sees it. A sent form is checked, and nothing is saved. */
export const previewQuestions: PageAt<'event'> = {
  ...page,
  get: async (services, context, request) => {
    const loaded = await services.db.read(request.account.id, tx => load(tx, request))
    const state = { ...newForm(fieldsOf(loaded, request), request.event), formId: undefined }
    await answer(context, request, loaded, state, { status: 200 })
  },
  post: (services, context, request) => check(services, context, request, context.state.body),
  restore: (services, context, request, typed) => check(services, context, request, typed),
}

const typeIdsOf = ({ type }: Loaded) => (type === undefined ? [] : [type.id])
const applicableIn = (loaded: Loaded) => questions.findApplicable(loaded.all, typeIdsOf(loaded))
const fieldsOf = (loaded: Loaded, { voice }: EventRequest) =>
  questionFields(applicableIn(loaded), voice.format.language)

async function check(
  services: Services,
  context: Context,
  request: EventRequest,
  body: URLSearchParams,
): Promise<void> {
  const loaded = await services.db.read(request.account.id, tx => load(tx, request))
  const fields = fieldsOf(loaded, request)
  const parsed = questions.parse(loaded.all, typeIdsOf(loaded), questions.readTyped(body))
  const isWrong = 'faults' in parsed
  const faults = new Map(isWrong ? [...parsed.faults].map(([name, fault]) => [name, { fault }]) : [])
  const state = refusedForm(fields, request.event, readForm(fields, body), { faults })
  const labels = new Map(loaded.all.map(({ key, label }) => [key, label]))
  const answers = isWrong ? [] : [parsed.answers.order, ...parsed.answers.tickets]
  const kept = answers.flatMap(some =>
    Object.entries(some).map(([key, value]) => [labels.get(key) ?? key, value] as const),
  )
  await answer(context, request, loaded, state, isWrong ? { status: 422 } : { status: 200, kept })
}

async function answer(
  context: Context,
  request: EventRequest,
  loaded: Loaded,
  state: FormState,
  { status, kept }: Outcome,
): Promise<void> {
  const { event, voice } = request
  const { texts } = voice
  const { types, type } = loaded
  const path = paths.previewQuestions(event.id)
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  const ids = types.map(({ id }) => id)
  const filters = { type: choiceField(ids, () => choices, { label: texts => texts.questions.previewType }) }
  const { order, tickets } = applicableIn(loaded)
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
          <p class="card quiet">{texts.questions.noQuestions}</p>
        ) : (
          <Form
            state={state}
            texts={texts}
            action={withQuery(path, { type: type?.id })}
            submit={texts.questions.check}
            leave={paths.questions(event.id)}
            isGuarded={false}
          >
            <Questions applicable={{ order, tickets }} state={state} texts={texts} />
          </Form>
        )}
      </div>
    </>
  )
  await answerView(context, page, request, { title: texts.questions.preview, body, status })
}
