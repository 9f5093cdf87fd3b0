import type { Page } from '#faces/dashboard/frame/page.ts'
import { abstractPage } from './abstract.tsx'
import { abstractsPage } from './abstracts.tsx'
import { decideAbstracts } from './decide-abstracts.tsx'

export const programmePages: readonly Page[] = [abstractsPage, decideAbstracts, abstractPage]
