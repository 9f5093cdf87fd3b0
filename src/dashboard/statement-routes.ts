import type { Page } from './page.ts'
import { matchStatement, statementPage } from './pages/statement.tsx'
import { statementColumns } from './pages/statement-columns.tsx'
import { bankLinePage } from './pages/statement-line.tsx'
import { ignoreLine, matchLine, matchLineRefund, restoreLine, undoMatch } from './pages/statement-match.tsx'
import { statementsPage } from './pages/statements.tsx'

/** The pages of bank statements. */
export const statementPages: readonly Page[] = [
  statementsPage,
  statementColumns,
  matchStatement,
  statementPage,
  bankLinePage,
  matchLine,
  matchLineRefund,
  ignoreLine,
  restoreLine,
  undoMatch,
]
