import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { View } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, Head } from '#machinery/web/components/parts.tsx'
import { type Choice, choiceField, type Field } from '#machinery/web/forms/field.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldRows, Form } from '#machinery/web/forms/form-view.tsx'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import { answersOf, type ImportField, importFields, type Target } from '#product/guests/imports/columns.ts'
import * as imports from '#product/guests/imports/rules.ts'
import type { ImportLine } from '#product/guests/imports/schemas.ts'
import type { Texts } from '#texts/texts.ts'

/** This many lines are shown beside each column. */
const SAMPLE = 5
/** This choice takes the type that each line names. */
const OF_LINES = 'lines'

const TYPE = 'registration_type_id'

interface Loaded {
  upload: imports.Upload
  types: readonly RegistrationType[]
  sample: readonly ImportLine[]
}

async function load(tx: ReadTx, { event, params }: EventRequest): Promise<Loaded> {
  const upload = await imports.get(tx, params.job ?? '', event.id)
  if (upload.imported !== undefined && upload.isUnderWay)
    throw new Problem('invalid_transition', { details: { reason: 'import_under_way' } })
  return {
    upload,
    types: await registrationTypes.listByEvent(tx, event.id),
    sample: await imports.listLines(tx, upload.job.id, { limit: SAMPLE }),
  }
}

function columnName(at: number): string {
  return `columns.${at}`
}

/**
 * Returns a header as a part of a sentence, in whichever direction it is written. The characters replace `bdi` where no markup is
 * possible.
 */
function headerOf(header: string, at: number, { imports: texts }: Texts): string {
  return header.trim() === '' ? texts.columnAt(at + 1) : `\u2068${header}\u2069`
}

function fieldsOf({ upload: { input }, types }: Loaded): Record<string, Field<string>> {
  const { headers, columns } = input
  const answers = answersOf(headers)
  const fields = headers.map((header, at) => {
    // A column can be an answer by its own name, and by the name that was chosen.
    const own = new Set(
      [answers[at], columns[at]].filter((one): one is Target => one?.startsWith('answer:') ?? false),
    )
    const targets: string[] = ['none', ...importFields, ...own]
    const choices = (texts: Texts) => targets.map(value => ({ value, label: targetLabel(value, texts) }))
    return [columnName(at), choiceField(targets, choices, { label: texts => headerOf(header, at, texts) })]
  })
  const ids = [OF_LINES, ...types.map(({ id }) => id)]
  const type = choiceField(ids, texts => typeChoices(types, texts), {
    label: texts => texts.imports.type,
    help: texts => texts.imports.typeHelp,
  })
  return { [TYPE]: type, ...Object.fromEntries(fields) }
}

function typeChoices(types: readonly RegistrationType[], texts: Texts): Choice[] {
  const named = types.map(({ id, name }) => ({ value: id, label: name }))
  return [{ value: OF_LINES, label: texts.imports.typeOfColumn }, ...named]
}

function targetLabel(target: string, { imports: texts }: Texts): string {
  if (target === 'none') return texts.leftOut
  return target.startsWith('answer:')
    ? texts.answer(target.slice('answer:'.length))
    : texts.fields[target as ImportField]
}

function initialOf({ upload: { input } }: Loaded): Record<string, string> {
  const columns = input.columns.map((target, at) => [columnName(at), target])
  return { [TYPE]: input.registration_type_id ?? OF_LINES, ...Object.fromEntries(columns) }
}

/** Says what each column means, and has the lines checked by that. */
export const importColumns = formPage('event', {
  path: '/e/{event}/guests/import/{job}/columns',
  permission: 'guests.edit',
  load,
  fields: fieldsOf,
  initial: initialOf,
  view: columnsView,
  act: (tx, request, { values, loaded: { upload } }) => {
    const { job, input } = upload
    const columns = input.headers.map((_, at) => values[columnName(at)] ?? 'none')
    const type = values[TYPE] ?? OF_LINES
    const registrationTypeId = type === OF_LINES ? null : type
    return imports.check(tx, job.id, {
      columns,
      registrationTypeId,
      by: actorOf(request).who,
    })
  },
  entry: ({ params }) => ({ action: 'import.check', targetType: 'job', targetId: params.job }),
  next: ({ id }, { event }) => ({ path: paths.guestImport(event.id, id) }),
})

function columnsView(
  { upload: { job, input }, sample }: Loaded,
  request: EventRequest,
  state: FormState,
): View {
  const { event, voice } = request
  const { imports: texts } = voice.texts
  const upload = paths.importGuests(event.id)
  return {
    title: texts.columnsTitle,
    body: (
      <>
        <Head
          title={texts.columnsTitle}
          crumbs={
            <>
              <a href={upload}>{texts.title}</a> · <bdi>{input.name || texts.pasted}</bdi>
            </>
          }
          about={texts.columnsAbout(job.total ?? 0)}
        />
        {input.encoding_guessed && <Banner tone="warn">{texts.guessedEncoding}</Banner>}
        <div class="card">
          <Form
            state={state}
            texts={voice.texts}
            action={paths.importColumns(event.id, job.id)}
            submit={texts.check}
            leave={upload}
          >
            <FieldRows state={state} texts={voice.texts} names={[TYPE]} />
            {input.headers.map((header, at) => (
              <div class="pair column" key={columnName(at)}>
                <FieldRows state={state} texts={voice.texts} names={[columnName(at)]} />
                <Sample name={texts.firstValues(headerOf(header, at, voice.texts))} at={at} lines={sample} />
              </div>
            ))}
          </Form>
        </div>
      </>
    ),
  }

  function Sample({ name, at, lines }: { name: string; at: number; lines: readonly ImportLine[] }) {
    return (
      <ul class="sample" aria-label={name}>
        {lines.map(({ line, cells }) => (
          <li key={line}>{cells[at] ? <bdi>{cells[at]}</bdi> : <span class="quiet">{texts.empty}</span>}</li>
        ))}
      </ul>
    )
  }
}
