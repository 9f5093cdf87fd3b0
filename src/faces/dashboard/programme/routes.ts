import type { Page } from '#faces/dashboard/frame/page.ts'
import { abstractPage } from './abstract.tsx'
import { abstractFile } from './abstract-file.tsx'
import { abstractsPage } from './abstracts.tsx'
import { callForm } from './call.tsx'
import { decideAbstracts } from './decide-abstracts.tsx'

export const programmePages: readonly Page[] = [
  abstractsPage,
  callForm,
  decideAbstracts,
  abstractPage,
  abstractFile,
]
