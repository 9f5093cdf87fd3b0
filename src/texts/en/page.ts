import { countingIn } from '../counting.ts'

export const count = countingIn('en')

export const page = {
  product: 'Turnout',
  skip: 'Skip to the content',
  more: 'More',
  save: 'Save',
  leave: 'Leave it',
  back: 'Back',
  search: 'Search',
  filter: 'Filter',
  apply: 'Apply',
  any: 'Any',
  all: 'All',
  select: 'Select',
  selectAll: 'Select all on this page',
  undo: 'Undo',
  copy: 'Copy',
  copied: 'Copied',
  download: 'Download',
  asTable: 'As a table',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  never: 'Never',
  optional: '(may be empty)',
  wrongTime: 'Enter a date and a time.',
  skippedTime: 'The clocks skip this time: they are put forward. Choose an earlier or a later one.',
  wrongMoney: (currency: string) => `Enter an amount of ${currency}, such as 15 or 15.00.`,
  wrongPercent: (max: number) => `Enter a percentage from 0 to ${max}, such as 2.5.`,
  print: 'Print',
  errorPrefix: 'Error: ',
  errors: (n: number) =>
    count(n, { one: 'One thing needs another look', other: '# things need another look' }),
  newest: 'Newest',
  older: 'Older',
  first: 'First',
  next: 'Next',
  pages: 'Pages',
  removeFilter: ', remove this filter',
  shown: (n: number) => count(n, { one: '# shown', other: '# shown' }),
  timesIn: (zone: string) => `Times in ${zone}.`,
  changedMeanwhile: 'somebody else changed it too',
  changedByOthers: (theirs: string) =>
    theirs === ''
      ? 'Somebody emptied this while you wrote. Saving again keeps yours.'
      : `Somebody changed this to “${theirs}” while you wrote. Saving again keeps yours.`,
  yourAccount: (name: string) => `${name}: your account`,
  characters: (n: number) => count(n, { one: '# character', other: '# characters' }),
  tickets: (n: number) => count(n, { one: '# ticket', other: '# tickets' }),
}
