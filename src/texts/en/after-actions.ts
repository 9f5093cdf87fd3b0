/** What is done about an abstract after its decision, as the access log says it. */
export const afterActions = {
  'abstract.confirm': 'Confirmed that an abstract is presented',
  'abstract.unconfirm': 'Took back that an abstract is presented',
  'abstract.presenter': 'Chose another presenter of an abstract',
  'abstract.days': 'Said on which days nobody can present an abstract',
  'abstract.remind': 'Reminded those who have not confirmed',
}
