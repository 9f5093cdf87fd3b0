import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { removal } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
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
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { questionKinds, questionScopes } from '#product/guests/questions/kinds.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { type Question, questionFields } from '#product/guests/questions/schemas.ts'

const MAX_HELP = 1000

interface Loaded {
  types: readonly TypeDetails[]
}

interface LoadedQuestion extends Loaded {
  question: Question
  isAnswered: boolean
}

/** Returns the ids of the ticked types. No ticked type stands for all, which is null. */
const typeIds = (ids: readonly string[]) => (ids.length === 0 ? null : [...ids])

function fieldsOf({ types }: Loaded) {
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
      questionScopes,
      ({ questions: texts }) => questionScopes.map(value => ({ value, label: texts.scopeOf[value] })),
      { label: texts => texts.questions.scope },
      'radios',
    ),
    registration_type_ids: choicesField(
      choices.map(({ value }) => value),
      () => choices,
      { label: texts => texts.questions.types, help: texts => texts.questions.typesHelp },
    ),
  }
}

function newFields(loaded: Loaded) {
  return {
    ...fieldsOf(loaded),
    key: optionalTextField(questionFields.key, {
      label: texts => texts.questions.key,
      help: texts => texts.questions.keyHelp,
    }),
  }
}

function editFields(loaded: Loaded) {
  return {
    ...fieldsOf(loaded),
    key: textField(questionFields.key, {
      label: texts => texts.questions.key,
      help: texts => texts.questions.keyKept,
    }),
  }
}

const loadTypes = (tx: ReadTx, { event }: EventRequest) => registrationTypes.listDetails(tx, event.id)

async function loadQuestion(tx: ReadTx, request: EventRequest): Promise<LoadedQuestion> {
  const { event, params } = request
  const question = await questions.get(tx, event.id, params.question ?? '')
  const isAnswered = await questions.isAnswered(tx, question)
  return { question, isAnswered, types: await loadTypes(tx, request) }
}

export const newQuestion = formPage('event', {
  path: '/e/{event}/tickets/questions/new',
  keepsTyped: true,
  permission: 'events.edit',
  load: async (tx, request): Promise<Loaded> => ({ types: await loadTypes(tx, request) }),
  fields: newFields,
  initial: () => ({ kind: 'text', asked_for: 'order' }) as const,
  parts: (_, request) => {
    const { newQuestion: title, create: submit } = request.voice.texts.questions
    return { title, submit, ...backToQuestions(request) }
  },
  act: (tx, { event }, { values }) =>
    questions.create(tx, event.id, {
      ...values,
      choices: [...values.choices],
      registration_type_ids: typeIds(values.registration_type_ids),
    }),
  entry: () => ({ action: 'question.create', targetType: 'question', targetOf: ({ id }) => id }),
  next: ({ label }, { event }) => ({
    path: paths.questions(event.id),
    flash: flash('ticketAdded', { name: label }),
  }),
})

export const editQuestion = formPage('event', {
  path: '/e/{event}/tickets/questions/{question}',
  keepsTyped: true,
  permission: 'events.edit',
  load: loadQuestion,
  fields: editFields,
  current: valuesOf,
  parts: ({ question: { id, label, retired } }, request) => {
    const { questions: texts, page } = request.voice.texts
    const address = (what: string) => paths.ofQuestion(request.event.id, id, what)
    return {
      ...{ title: label, isOfPeople: true, ...backToQuestions(request), submit: page.save },
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
  act: (tx, { event }, { changes, loaded }) => {
    const { choices, registration_type_ids: ids, ...rest } = changes
    return questions.update(tx, event.id, loaded.question.id, {
      ...rest,
      ...(choices === undefined ? {} : { choices: [...choices] }),
      ...(ids === undefined ? {} : { registration_type_ids: typeIds(ids) }),
    })
  },
  entry: ({ params }) => ({
    action: 'question.update',
    targetType: 'question',
    targetId: params.question,
  }),
  next: ({ label }, { event }) => ({
    path: paths.questions(event.id),
    flash: flash('questionSaved', { name: label }),
  }),
})

function valuesOf({ question, types }: LoadedQuestion): ValuesOf<ReturnType<typeof editFields>> {
  const { label, help, kind, choices, required, asked_for, key, registration_type_ids: ids } = question
  // The types stand in the order of the form.
  const ticked = types.flatMap(({ id }) => (ids?.includes(id) ? [id] : []))
  return { label, help, kind, choices, required, asked_for, key, registration_type_ids: ticked }
}

function ToQuestions({ request: { event, voice } }: { request: EventRequest }) {
  return <a href={paths.questions(event.id)}>{voice.texts.questions.title}</a>
}

function backToQuestions({ event, voice }: EventRequest) {
  return { leave: paths.questions(event.id), crumbs: voice.texts.questions.title }
}

/** Asks before it removes a question, or says why that is impossible. */
export const removeQuestion = formPage('event', {
  path: '/e/{event}/tickets/questions/{question}/remove',
  permission: 'events.edit',
  load: loadQuestion,
  fields: () => ({}),
  preview: ({ question }) => question.label,
  parts: ({ question, isAnswered }, request) => {
    const { questions: texts } = request.voice.texts
    const { id, label, retired } = question
    const retire = (
      <PostButton action={paths.ofQuestion(request.event.id, id, 'retire')}>{texts.retire}</PostButton>
    )
    return removal({
      keeps: 'question',
      title: isAnswered ? texts.cannotRemove(label) : texts.removeTitle(label),
      crumbs: <ToQuestions request={request} />,
      submit: texts.removeSubmit,
      leave: paths.question(request.event.id, id),
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
    targetId: params.question,
    details: (_, removed) => (removed === undefined ? {} : { name: removed.label }),
  }),
  next: ({ label }, { event }) => ({
    path: paths.questions(event.id),
    flash: flash('ticketRemoved', { name: label }),
  }),
})
