/** What is done about abstracts, as the access log says it. */
export const abstractActions = {
  'abstract.add': 'Added an abstract',
  'abstract.decide': 'Decided an abstract',
  'abstract.propose': 'Proposed a decision',
  'abstract.take_proposal_back': 'Took a proposed decision back',
  'abstract.submit': 'Sent an abstract',
  'abstract.file': 'Attached a file to an abstract',
  'abstract.file_remove': 'Removed the file of an abstract',
  'abstract.withdraw': 'Withdrew an abstract',
  'abstract.edit': 'Changed an abstract',
  'abstract.reopen': 'Took back the withdrawal of an abstract',
  'abstract.confirm': 'Confirmed that an abstract is presented',
  'abstract.unconfirm': 'Took back that an abstract is presented',
  'abstract.presenter': 'Chose another presenter of an abstract',
  'abstract.days': 'Said on which days nobody can present an abstract',
  'abstract.remind': 'Reminded those who have not confirmed',
}
