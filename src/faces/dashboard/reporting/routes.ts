import type { Page } from '#faces/dashboard/frame/page.ts'
import { monthlyCsv, monthlyPage } from './monthly.tsx'
import { registrationsCsv, registrationsJson, reportsPage } from './reports.tsx'

export const reportingPages: readonly Page[] = [
  monthlyPage,
  monthlyCsv,
  reportsPage,
  registrationsCsv,
  registrationsJson,
]
