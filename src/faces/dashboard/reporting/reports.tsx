import { download } from '#faces/dashboard/frame/download.ts'
import { sheetOrCsv } from '#faces/dashboard/frame/guest-sheet.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Head } from '#machinery/web/components/parts.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import {
  beginRegistrationReport,
  toCsvChunks,
  toJsonChunks,
} from '#product/reporting/reports/registration-report.ts'

/** The page names this many of the questions that have answers. */
const MOST_SHOWN = 50

interface Loaded {
  sold: number
  answerKeys: readonly string[]
}

/** Offers the reports of an event to download. */
export const reportsPage = showPage('event', {
  path: '/e/{event}/reports',
  permission: 'reports',
  navigation: { icon: 'chart', text: texts => texts.navigation.reports },
  load: async (tx, { event }): Promise<Loaded> => {
    const types = ticketsAmong(await registrationTypes.listDetails(tx, event.id))
    return {
      sold: types.reduce((sum, type) => sum + type.sold, 0),
      answerKeys: [...(await listAnswerKeys(tx, event.id))].sort(),
    }
  },
  view: (loaded, request) => {
    const { title } = request.voice.texts.reports
    return { title, body: <Reports {...loaded} request={request} /> }
  },
})

function Reports({
  sold,
  answerKeys,
  request: { event, account, voice },
}: Loaded & { request: EventRequest }) {
  const { texts } = voice
  const { reports } = texts
  return (
    <div class="stack">
      <Head title={reports.title} />
      <section class="card stack" aria-labelledby="registrations">
        <h2 id="registrations">{reports.registrations}</h2>
        <p>{reports.registrationsAbout(sold)}</p>
        <div class="row">
          <ButtonLink href={paths.registrationsXlsx(event.id)} main>
            {reports.downloadXlsx}
          </ButtonLink>
          <ButtonLink href={paths.registrationsCsv(event.id)}>{reports.downloadCsv}</ButtonLink>
          <ButtonLink href={paths.registrationsJson(event.id)}>{reports.downloadJson}</ButtonLink>
        </div>
        <p class="small quiet">{reports.formats}</p>
        <details>
          <summary>{reports.columns}</summary>
          <Columns answerKeys={answerKeys} voice={voice} />
        </details>
      </section>
      <section class="card stack" aria-labelledby="monthly">
        <h2 id="monthly">{reports.monthly}</h2>
        <p>{reports.monthlyAbout}</p>
        <div class="row">
          <ButtonLink href={paths.monthlyReport(account.id)}>{reports.toMonthly}</ButtonLink>
        </div>
      </section>
    </div>
  )
}

function Columns({ answerKeys, voice }: Pick<Loaded, 'answerKeys'> & { voice: Voice }) {
  const { reports, page } = voice.texts
  const more = answerKeys.length - MOST_SHOWN
  return (
    <table>
      <caption class="hidden">{reports.columns}</caption>
      <thead>
        <tr>
          <th scope="col">{reports.column}</th>
          <th scope="col">{reports.meaning}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(reports.ofColumns).map(([names, meaning]) => (
          <tr key={names}>
            <th scope="row">
              <bdi>{names}</bdi>
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
        {answerKeys.slice(0, MOST_SHOWN).map(key => (
          <tr key={key}>
            <th scope="row">
              <bdi>answer:{key}</bdi>
            </th>
            <td>{reports.answer}</td>
          </tr>
        ))}
        {more > 0 && (
          <tr>
            <th scope="row">answer:…</th>
            <td>
              {page.more}: {voice.format.number(more)}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

export const registrationsXlsx = download('event', {
  path: '/e/{event}/reports/registrations.xlsx',
  permission: 'reports',
  open: async (reader, request, { clock }) => {
    const { account, event } = request
    const report = await beginRegistrationReport(reader, account.id, event.id, clock())
    return sheetOrCsv('registrations', reader, request, { filters: { event_id: event.id }, report })
  },
})

export const registrationsCsv = download('event', {
  path: '/e/{event}/reports/registrations.csv',
  permission: 'reports',
  open: async (reader, { account, event }, { clock }) => ({
    type: 'text/csv; charset=utf-8',
    fileName: `registrations-${event.slug}.csv`,
    chunks: toCsvChunks(await beginRegistrationReport(reader, account.id, event.id, clock())),
  }),
})

export const registrationsJson = download('event', {
  path: '/e/{event}/reports/registrations.json',
  permission: 'reports',
  open: async (reader, { account, event }, { clock }) => ({
    type: 'application/json; charset=utf-8',
    fileName: `registrations-${event.slug}.json`,
    chunks: toJsonChunks(await beginRegistrationReport(reader, account.id, event.id, clock())),
  }),
})
