/** What is done at doors and with badges, as the access log says it. */
export const entranceActions = {
  'check_in.create': 'Checked a ticket in',
  'check_in.undo': 'Undid a check-in',
  'device.create': 'Added a door',
  'device.pair': 'Made a new code for a door',
  'device.update': 'Changed a door',
  'device.revoke': 'Revoked a door',
  'badges.print': 'Printed badges',
  'badges.undo': 'Said that badges were not printed',
  'scan.admit': 'Let a scan count',
  'scan.dismiss': 'Dismissed a scan',
  'scan.import': 'Brought scans of another server',
  'scan.seen': 'Set a conflict aside',
  'scan.undo': 'Undid a scan',
}
