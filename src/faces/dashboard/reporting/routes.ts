import type { Page } from '#faces/dashboard/frame/page.ts'
import { monthlyCsv, monthlyPage } from './monthly.tsx'
import { registrationsCsv, registrationsJson, registrationsXlsx, reportsPage } from './reports.tsx'

export const reportingPages: readonly Page[] = [
  monthlyPage,
  monthlyCsv,
  reportsPage,
  registrationsCsv,
  registrationsXlsx,
  registrationsJson,
]
