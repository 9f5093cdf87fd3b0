import {
  chosenLater,
  flashOfSave,
  loadLater,
  NotCarried,
  onlyThis,
  saveForFields,
} from '#faces/dashboard/catalog/later-dates.tsx'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { removal } from '#faces/dashboard/frame/form-parts.tsx'
import type { Page } from '#faces/dashboard/frame/page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import {
  areaField,
  choiceField,
  choicesField,
  optionalTextField,
  textField,
  tickField,
} from '#machinery/web/forms/field.ts'
import type { ValuesOf } from '#machinery/web/forms/form.ts'
import { linesField } from '#machinery/web/forms/lines-field.ts'
import type { LaterDate } from '#product/catalog/events/later-dates.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { orderScopes, questionKinds } from '#product/guests/questions/kinds.ts'
import { createWithLater, updateWithLater } from '#product/guests/questions/later-questions.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { type Question, questionFields } from '#product/guests/questions/schemas.ts'
import type { Texts } from '#texts/texts.ts'
import { getQuestion, type QuestionPlace } from './question-place.ts'

const MAX_HELP = 1000

interface Loaded {
  place: QuestionPlace
  types: readonly TypeDetails[]
  later: readonly LaterDate[]
}

interface LoadedQuestion extends Loaded {
  question: Question
  isAnswered: boolean
}

/** Returns the ids of the ticked types. No ticked type stands for all, which is null. */
const typeIds = (ids: readonly string[]) => (ids.length === 0 ? null : [...ids])

function allFields({ types }: Pick<Loaded, 'types'>) {
  const choices = types.map(({ id, name }) => ({ value: id, label: name }))
  return {
    label: textField(questionFields.label, {
      label: texts => texts.questions.label,
      help: texts => texts.questions.labelHelp,
    }),
    help: areaField(MAX_HELP, 2, {
      label: texts => texts.questions.help,
      help: texts => texts.questions.helpHelp,
    }),
    kind: choiceField(
      questionKinds,
      ({ questions: texts }) => questionKinds.map(value => ({ value, label: texts.kinds[value] })),
      { label: texts => texts.questions.kind },
    ),
    choices: linesField(questionFields.choices, 5, {
      label: texts => texts.questions.choices,
      help: texts => texts.questions.choicesHelp,
    }),
    required: tickField({ label: texts => texts.questions.required }),
    asked_for: choiceField(
      orderScopes,
      ({ questions: texts }) => orderScopes.map(value => ({ value, label: texts.scopeOf[value] })),
      { label: texts => texts.questions.scope },
      'radios',
    ),
    registration_type_ids: choicesField(
      choices.map(({ value }) => value),
      () => choices,
      { label: texts => texts.questions.types, help: texts => texts.questions.typesHelp },
    ),
    for_reviewers: tickField({
      label: texts => texts.questions.forReviewers,
      help: texts => texts.questions.forReviewersHelp,
    }),
    key: textField(questionFields.key, {
      label: texts => texts.questions.key,
      help: texts => texts.questions.keyKept,
    }),
  }
}

/** What authors are asked is in no report by its key, and is not asked of some tickets. */
function fieldsOf(loaded: Loaded) {
  const all = allFields(loaded)
  const { asked_for: _, registration_type_ids: __, key: ___, ...ofAbstracts } = all
  const { for_reviewers: ____, ...ofOrders } = all
  return (loaded.place.of === 'orders' ? ofOrders : ofAbstracts) as typeof all
}

function newFields(loaded: Loaded) {
  const fields = fieldsOf(loaded)
  const key = optionalTextField(questionFields.key, {
    label: texts => texts.questions.key,
    help: texts => texts.questions.keyHelp,
  })
  type Fields = Omit<typeof fields, 'key'> & { key: typeof key }
  return (loaded.place.of === 'orders' ? { ...fields, key } : fields) as Fields
}

/** Returns what the choice of dates says. Only what those who order are asked belongs to some types. */
const helpOf =
  (key: 'alsoNew' | 'alsoQuestions', { of }: QuestionPlace) =>
  ({ series }: Texts) =>
    of === 'orders' ? `${series[key]} ${series.typesByName}` : series[key]

const loadAround = async (tx: ReadTx, request: EventRequest) => ({
  types: await registrationTypes.listDetails(tx, request.event.id),
  later: await loadLater(tx, request),
})

const loadAt =
  (place: QuestionPlace) =>
  async (tx: ReadTx, request: EventRequest): Promise<LoadedQuestion> => {
    const question = await getQuestion(tx, request, place)
    const isAnswered = await questions.isAnswered(tx, question)
    return { place, question, isAnswered, ...(await loadAround(tx, request)) }
  }

const newAt = (place: QuestionPlace) =>
  formPage('event', {
    path: `${place.path}/new`,
    keepsTyped: true,
    permission: place.permission,
    load: async (tx, request): Promise<Loaded> => ({ place, ...(await loadAround(tx, request)) }),
    fields: loaded => ({
      ...newFields(loaded),
      ...saveForFields(loaded.later, helpOf('alsoNew', place)),
    }),
    initial: () => ({ kind: 'text', asked_for: 'order', ...onlyThis }) as const,
    parts: (_, request, state) => {
      const { texts } = request.voice
      const { newQuestion: title, create: submit } = texts.questions
      const above = <NotCarried state={state} texts={texts} />
      return { title, submit, ...backToQuestions(place, request), above }
    },
    act: (tx, { event }, { values, loaded }) => {
      const { save_for, ...input } = values
      const question = {
        ...input,
        asked_for: place.of === 'abstracts' ? ('abstract' as const) : values.asked_for,
        choices: [...values.choices],
        registration_type_ids: typeIds(values.registration_type_ids ?? []),
      }
      return createWithLater(tx, event.id, question, chosenLater(loaded.later, { save_for }))
    },
    entry: () => ({
      action: 'question.create',
      targetType: 'question',
      targetOf: ({ here }) => here.id,
      alsoOf: ({ others }) => others,
    }),
    next: ({ here: { label }, others }, { event }) => ({
      path: place.at(event.id),
      flash: flashOfSave(label, others, flash('ticketAdded', { name: label }), 'addedWithLater'),
    }),
  })

const editAt = (place: QuestionPlace) =>
  formPage('event', {
    path: `${place.path}/{${place.id}}`,
    keepsTyped: true,
    permission: place.permission,
    load: loadAt(place),
    fields: loaded => ({
      ...fieldsOf(loaded),
      ...saveForFields(loaded.later, helpOf('alsoQuestions', place)),
    }),
    current: loaded => ({ ...valuesOf(loaded), ...onlyThis }),
    parts: ({ question: { id, label, retired } }, request, state) => {
      const { questions: texts, page } = request.voice.texts
      const address = (what: string) => place.at(request.event.id, id, what)
      return {
        ...{ title: label, isOfPeople: true, ...backToQuestions(place, request), submit: page.save },
        above: <NotCarried state={state} texts={request.voice.texts} />,
        actions: (
          <>
            <PostButton action={address(retired ? 'ask' : 'retire')}>
              {retired ? texts.askAgain : texts.retire}
            </PostButton>
            <ButtonLink href={address('remove')} isDestructive>
              {texts.remove}
            </ButtonLink>
          </>
        ),
      }
    },
    act: (tx, { event }, { changes, values, loaded }) => {
      const { choices, registration_type_ids: ids, ...rest } = changes
      const changed = {
        ...rest,
        ...(choices === undefined ? {} : { choices: [...choices] }),
        ...(ids === undefined ? {} : { registration_type_ids: typeIds(ids) }),
      }
      const of = { eventId: event.id, id: loaded.question.id }
      return updateWithLater(tx, of, changed, chosenLater(loaded.later, values))
    },
    entry: ({ params }) => ({
      action: 'question.update',
      targetType: 'question',
      targetId: params[place.id],
      alsoOf: ({ others }) => others,
    }),
    next: ({ here: { label }, others }, { event }) => ({
      path: place.at(event.id),
      flash: flashOfSave(label, others, flash('questionSaved', { name: label })),
    }),
  })

function valuesOf({ question, types }: LoadedQuestion): ValuesOf<ReturnType<typeof allFields>> {
  const { label, help, kind, choices, required, asked_for, key, registration_type_ids: ids } = question
  // The types stand in the order of the form.
  const ticked = types.flatMap(({ id }) => (ids?.includes(id) ? [id] : []))
  const { for_reviewers } = question
  return {
    ...{ label, help, kind, choices, required, for_reviewers, key, registration_type_ids: ticked },
    asked_for: asked_for === 'ticket' ? 'ticket' : 'order',
  }
}

function backToQuestions(place: QuestionPlace, { event, voice }: EventRequest) {
  return { leave: place.at(event.id), crumbs: voice.texts.questions.title }
}

/** Asks before it removes a question, or says why that is impossible. */
const removeAt = (place: QuestionPlace) =>
  formPage('event', {
    path: `${place.path}/{${place.id}}/remove`,
    permission: place.permission,
    load: loadAt(place),
    fields: () => ({}),
    preview: ({ question }) => question.label,
    parts: ({ question, isAnswered }, request) => {
      const { questions: texts } = request.voice.texts
      const { id, label, retired } = question
      const retire = <PostButton action={place.at(request.event.id, id, 'retire')}>{texts.retire}</PostButton>
      return removal({
        keeps: 'question',
        title: isAnswered ? texts.cannotRemove(label) : texts.removeTitle(label),
        crumbs: <a href={place.at(request.event.id)}>{texts.title}</a>,
        submit: texts.removeSubmit,
        leave: place.at(request.event.id, id),
        will: [texts.removeNobody, texts.removeForGood],
        refusal: isAnswered
          ? { because: [texts.answered, texts.insteadRetire], instead: retired ? undefined : retire }
          : undefined,
      })
    },
    act: (tx, { event }, { loaded: { question } }) =>
      questions.remove(tx, event.id, question.id).then(() => question),
    entry: ({ params }) => ({
      action: 'question.remove',
      targetType: 'question',
      targetId: params[place.id],
      details: (_, removed) => (removed === undefined ? {} : { name: removed.label }),
    }),
    next: ({ label }, { event }) => ({
      path: place.at(event.id),
      flash: flash('ticketRemoved', { name: label }),
    }),
  })

/** Returns the forms of questions at a place. */
export const questionFormsAt = (place: QuestionPlace): Page[] => [
  newAt(place),
  editAt(place),
  removeAt(place),
]
