import { count } from './page.ts'

/** Authors who may be one person. */
export const namesakes = {
  title: 'Authors who may be one person',
  about:
    'The index of authors and the warnings take people for one by ORCID iD, else by e-mail, else by name and first affiliation. For these that may be wrong. What you say here changes no abstract.',
  none: 'Nobody is in doubt',
  noneAbout: 'No authors of accepted abstracts share a name or an e-mail and may yet be two.',
  counted: { one: 'They count as one person.', two: 'They count as two people.' },
  judged: {
    one: 'They count as one person, as a chair has said.',
    two: 'They count as two people, as a chair has said.',
  },
  one: 'They are one person',
  two: 'They are two people',
  takeBack: 'Take it back',
  link: (n: number) =>
    count(n, {
      one: '# pair of authors may be one person',
      other: '# pairs of authors may be one person each',
    }),
}
