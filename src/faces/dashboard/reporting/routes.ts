import type { Page } from '#faces/dashboard/frame/page.ts'
import { monthlyCsv, monthlyPage } from './monthly.tsx'
import { payoutPage } from './payout.tsx'
import { payoutsCsv, payoutsPage } from './payouts.tsx'
import { registrationsCsv, registrationsJson, registrationsXlsx, reportsPage } from './reports.tsx'

export const reportingPages: readonly Page[] = [
  monthlyPage,
  monthlyCsv,
  payoutsPage,
  payoutsCsv,
  payoutPage,
  reportsPage,
  registrationsCsv,
  registrationsXlsx,
  registrationsJson,
]
