import type { ReadTx } from '../../db/port.ts'
import { askedFor, questionKinds } from '../../questions/kinds.ts'
import * as questions from '../../questions/rules.ts'
import { type Question, questionFields } from '../../questions/schemas.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { ButtonLink, Head, PostButton } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import {
  areaField,
  choiceField,
  choicesField,
  optionalTextField,
  textField,
  tickField,
} from '../../web/forms/field.ts'
import type { FormState, ValuesOf } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { linesField } from '../../web/forms/lines-field.ts'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { removalView } from '../removal.tsx'

const MAX_HELP = 1000

interface Loaded {
  types: readonly TypeDetails[]
}

interface LoadedQuestion extends Loaded {
  question: Question
  isAnswered: boolean
}

/** Ids of the types that are ticked: none stands for all. */
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
      askedFor,
      ({ questions: texts }) => askedFor.map(value => ({ value, label: texts.askedForOf[value] })),
      { label: texts => texts.questions.askedFor },
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

const loadTypes = (tx: ReadTx, { account, event }: OfEvent) =>
  registrationTypes.listDetails(tx, account.id, event.id)

async function loadQuestion(tx: ReadTx, asked: OfEvent): Promise<LoadedQuestion> {
  const { account, event, params } = asked
  const question = await questions.get(tx, account.id, event.id, params.question ?? '')
  const isAnswered = await questions.isAnswered(tx, account.id, question)
  return { question, isAnswered, types: await loadTypes(tx, asked) }
}

export const newQuestion = formPage('event', {
  path: '/e/{event}/tickets/questions/new',
  permission: 'events.edit',
  load: async (tx, asked): Promise<Loaded> => ({ types: await loadTypes(tx, asked) }),
  fields: newFields,
  initial: () => ({ kind: 'text', asked_for: 'order' }) as const,
  view: (_, asked, state) => {
    const { questions: texts } = asked.voice.texts
    return {
      title: texts.newQuestion,
      body: (
        <>
          <Head title={texts.newQuestion} crumbs={<ToQuestions asked={asked} />} />
          <QuestionForm
            asked={asked}
            state={state}
            action={paths.newQuestion(asked.event.id)}
            submit={texts.create}
          />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values }) =>
    questions.create(tx, account.id, event.id, {
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
  permission: 'events.edit',
  load: loadQuestion,
  fields: editFields,
  current: valuesOf,
  view: ({ question }, asked, state) => {
    const { texts } = asked.voice
    const { id, label, retired } = question
    const address = (what: string) => paths.ofQuestion(asked.event.id, id, what)
    const actions = (
      <>
        <PostButton action={address(retired ? 'ask' : 'retire')}>
          {retired ? texts.questions.askAgain : texts.questions.retire}
        </PostButton>
        <ButtonLink href={address('remove')}>{texts.questions.remove}</ButtonLink>
      </>
    )
    return {
      title: label,
      body: (
        <>
          <Head title={<bdi>{label}</bdi>} crumbs={<ToQuestions asked={asked} />} actions={actions} />
          <QuestionForm
            asked={asked}
            state={state}
            action={paths.question(asked.event.id, id)}
            submit={texts.page.save}
          />
        </>
      ),
    }
  },
  act: (tx, { account, event }, { changes, loaded }) => {
    const { choices, registration_type_ids: ids, ...rest } = changes
    return questions.update(tx, account.id, event.id, loaded.question.id, {
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
  // In the order of the form.
  const ticked = types.flatMap(({ id }) => (ids?.includes(id) ? [id] : []))
  return { label, help, kind, choices, required, asked_for, key, registration_type_ids: ticked }
}

function ToQuestions({ asked: { event, voice } }: { asked: OfEvent }) {
  return <a href={paths.questions(event.id)}>{voice.texts.questions.title}</a>
}

interface QuestionFormProps {
  asked: OfEvent
  state: FormState
  action: string
  submit: string
}

function QuestionForm({ asked: { event, voice }, ...form }: QuestionFormProps) {
  return <Form {...form} texts={voice.texts} leave={paths.questions(event.id)} />
}

/** A page that asks first, or says why it cannot be. */
export const removeQuestion = formPage('event', {
  path: '/e/{event}/tickets/questions/{question}/remove',
  permission: 'events.edit',
  load: loadQuestion,
  fields: () => ({}),
  seen: ({ question }) => question.label,
  view: ({ question, isAnswered }, asked, state) => {
    const { event, voice } = asked
    const { questions: texts } = voice.texts
    const { id, label, retired } = question
    const retire = <PostButton action={paths.ofQuestion(event.id, id, 'retire')}>{texts.retire}</PostButton>
    return removalView({
      ...{ state, texts: voice.texts, crumbs: <ToQuestions asked={asked} /> },
      title: isAnswered ? texts.cannotRemove(label) : texts.removeTitle(label),
      action: paths.ofQuestion(event.id, id, 'remove'),
      submit: texts.removeSubmit,
      leave: paths.question(event.id, id),
      will: [texts.removeNobody, texts.removeForGood],
      refusal: isAnswered
        ? { because: [texts.answered, texts.insteadRetire], instead: retired ? undefined : retire }
        : undefined,
    })
  },
  act: (tx, { account, event }, { loaded: { question } }) =>
    questions.remove(tx, account.id, event.id, question.id).then(() => question),
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
