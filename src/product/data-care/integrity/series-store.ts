import { MAX_DATES } from '#product/catalog/events/series-schemas.ts'
import { type Id, type Rule, rule } from './store.ts'

/** Lists the rules of series. */
export const seriesRules: readonly Rule<never>[] = [
  rule<Id>(
    'SELECT e.id FROM events e JOIN series s ON s.id = e.series_id WHERE s.account_id <> e.account_id',
    ({ id }) => `event ${id} is a date of a series of another account`,
  ),
  rule<Id & { series: string }>(
    'SELECT e.id, s.id AS series FROM series s JOIN events e ON e.account_id = s.account_id AND e.slug = s.slug',
    ({ id, series }) => `event ${id} and series ${series} have the same slug`,
  ),
  rule<Id>(
    'SELECT s.id FROM series s LEFT JOIN events e ON e.series_id = s.id WHERE e.id IS NULL',
    ({ id }) => `series ${id} has no date`,
  ),
  // Whoever changes all dates of a series has them in one write.
  rule<Id & { dates: number }>(
    `SELECT s.id, count(e.id) AS dates FROM series s JOIN events e ON e.series_id = s.id AND e.deleting_at IS NULL
     GROUP BY s.id HAVING count(e.id) > ${MAX_DATES}`,
    ({ id, dates }) => `series ${id} has ${dates} dates, more than ${MAX_DATES}`,
  ),
]
