import type { ReadTx } from '../../db/port.ts'
import * as imports from '../../imports/rules.ts'
import type { Counts } from '../../imports/schemas.ts'
import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import type { FormState } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { actorOf, type OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import type { View } from '../page.ts'
import { paths } from '../paths.ts'
import { uploadOf } from './import.tsx'

async function load(tx: ReadTx, asked: OfEvent): Promise<imports.Upload> {
  const upload = await uploadOf(tx, asked)
  if (upload.job.state !== 'done') throw refusal('import_not_checked')
  return upload
}

function refusal(reason: string): Problem {
  return new Problem('invalid_transition', { details: { reason } })
}

/** Asks first: a registration that was made can be cancelled, and not taken back. */
export const startImport = formPage('event', {
  path: '/e/{event}/guests/import/{job}/start',
  permission: 'guests.edit',
  load,
  fields: () => ({}),
  seen: ({ left, imported }) => `${left} ${imported?.id ?? ''}`,
  view: startView,
  act: (tx, asked, { loaded: { job, left } }) => {
    if (left === 0) throw refusal('nothing_to_import')
    return imports.start(tx, asked.account.id, job.id, actorOf(asked).who)
  },
  entry: ({ event }) => ({
    action: 'import.start',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, lines: job?.total }),
  }),
  next: ({ input }, { event }) => ({ path: paths.guestImport(event.id, String(input.check_id)) }),
})

function startView({ job, imported, left }: imports.Upload, asked: OfEvent, state: FormState): View {
  const { event, voice } = asked
  const { imports: texts } = voice.texts
  const title = texts.importTitle(left)
  const { tickets = 0, known = 0, wrong = 0, sold_out = 0 } = (job.outcome ?? {}) as Partial<Counts>
  const others = known + wrong + sold_out
  return {
    title,
    body: (
      <>
        <Head title={title} crumbs={<a href={paths.importGuests(event.id)}>{texts.title}</a>} />
        <div class="card">
          <Form
            state={state}
            texts={voice.texts}
            action={paths.startImport(event.id, job.id)}
            submit={texts.importN(left)}
            leave={paths.guestImport(event.id, job.id)}
          >
            <ul class="will">
              <li>{imported === undefined ? texts.willAdd(tickets) : texts.willAddLines}</li>
              {others > 0 && <li>{texts.willLeave(others)}</li>}
              <li>{texts.willNotMail}</li>
              <li>{texts.willNotDouble}</li>
            </ul>
          </Form>
        </div>
      </>
    ),
  }
}
