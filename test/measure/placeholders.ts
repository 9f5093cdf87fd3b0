import { DAY } from '#base/time.ts'

/** Times this near to the run are the run's own. The times of the events that it sells are farther away, and stay. */
const OWN_TIMES = 500 * DAY
const MONTHS = [
  'Jan|January|ene|enero',
  'Feb|February|feb|febrero',
  'Mar|March|mar|marzo',
  'Apr|April|abr|abril',
  'May|may|mayo',
  'Jun|June|jun|junio',
  'Jul|July|jul|julio',
  'Aug|August|ago|agosto',
  'Sep|Sept|September|sept|septiembre',
  'Oct|October|oct|octubre',
  'Nov|November|nov|noviembre',
  'Dec|December|dic|diciembre',
].join('|')
const DAYS =
  'Mon|Tue|Wed|Thu|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|lun|mar|mié|jue|vie|sáb|dom|lunes|martes|miércoles|jueves|viernes|sábado|domingo'
const CLOCK = String.raw`\d\d:\d\d(?::\d\d)?(?: (?:GMT|UTC|CET|CEST|h))?`

const ISO = /\b(\d{4})-(\d\d)(?:-(\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?\b/g
const WRITTEN = new RegExp(
  String.raw`(?:(?<![\p{L}])(?:${DAYS})\.?,? )?(?:\d{1,2} (?:de )?)?(?<![\p{L}])(?:${MONTHS})\.? (?:de )?(\d{4})(?:,? (?:at |a las )?${CLOCK})?`,
  'gu',
)
/** Pages leave out the year of a day that is near, or that another one with a year stands beside. */
const WITHOUT_YEAR = new RegExp(
  String.raw`(?:(?<![\p{L}])(?:${DAYS})\.?,? )?\b\d{1,2} (?:de )?(?:${MONTHS})\b\.?(?! (?:de )?\d{4})`,
  'gu',
)
/** The time of a day whose placeholder stands already. */
const AFTER_DAY = new RegExp(`<time>(?:,? (?:at |a las )?${CLOCK})?(?:–${CLOCK})?`, 'g')
const BASIC = /\b(\d{4})(\d\d)(\d\d)(?:T\d{6}Z?)?\b/g

/** What tells one thing from another, and is made anew in each run. */
const IDS = new RegExp(
  [
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    // Secrets and hashes. Seldom one has no digit, and then it is known from a long name by its length.
    String.raw`(?<![\w-])(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]{20,}(?![\w-])`,
    String.raw`(?<![\w-])(?=[\w-]*[a-z][A-Z])(?:[\w-]{22}|[\w-]{43})(?![\w-])`,
    // References of orders and of transfers, ids of the keys that sign tickets, secrets to type, and fingerprints.
    String.raw`\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b`,
    String.raw`\bRF\d\d(?: ?\d{4}){2}\b`,
    '(?<="id":")[0-9a-f]{8}(?=")',
    String.raw`\b(?:[A-Z2-7]{4} ){4,}[A-Z2-7]{4}\b`,
    String.raw`\b(?:[0-9A-F]{2}:){31}[0-9A-F]{2}\b`,
    String.raw`(?<=at the door )[0-9A-F]{6}\b`,
    String.raw`(?<="last_four": "|svc_…)[\w-]{4}`,
  ].join('|'),
  'g',
)

/** Puts stable placeholders in the place of what differs from run to run. */
export class Placeholders {
  readonly #known = new Map<string, string>()

  /** @param at the number of what was asked. An id is named by where it came first, so that one more id renames no later one. */
  put(text: string, at: number): string {
    let here = 0
    const nameOf = (id: string) => {
      let name = this.#known.get(id)
      if (name === undefined) {
        name = `<id ${at}.${++here}>`
        this.#known.set(id, name)
      }
      return name
    }
    return (
      text
        .replace(/127\.0\.0\.1:\d+/g, '<host>')
        .replace(/turnout-record-\w+/g, '<folder>')
        .replace(/(\/(?:assets|files)\/[\w.-]+?)\.[\w-]{12}\.(\w+)/g, '$1.<hash>.$2')
        // A cookie that ends with its session has lived a moment before it is set.
        .replace(/(?<=Max-Age=)\d+/g, age => String(Math.round(Number(age) / 10) * 10))
        .replace(/sha256-[\w+/]+=*/g, '<hash>')
        .replace(/(<svg[^>]*class="qr"[^>]*>).*?<\/svg>/gs, '$1<code></svg>')
        .replace(/\b1[6-9]\d{11}\b/g, '<time>')
        .replace(/(\bcursor\W{1,4}|\bport |\bhue-)\d+/g, '$1<n>')
        .replace(/(\buntil )\d\d:\d\d/g, '$1<time>')
        .replace(/\d+ \w+, since/g, '<while>, since')
        .replace(IDS, nameOf)
        .replace(ISO, (found, year, month, day) => (this.#isOwn(year, month, day) ? '<time>' : found))
        .replace(BASIC, (found, year, month, day) => (this.#isOwn(year, month, day) ? '<time>' : found))
        .replace(WRITTEN, (found, year) => (this.#isOwn(year) ? '<time>' : found))
        .replace(WITHOUT_YEAR, '<time>')
        .replace(/<dd>[\d.]+ [MG]B(?: of [\d.]+ [MG]B)?/g, '<dd><size>')
        .replace(AFTER_DAY, '<time>')
    )
  }

  #isOwn(year: string, month = '07', day = '01'): boolean {
    const time = Date.parse(`${year}-${month}-${day}`)
    return Math.abs(time - Date.now()) < OWN_TIMES
  }
}
