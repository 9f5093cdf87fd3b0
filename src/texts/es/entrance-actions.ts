/** What is done at doors and with badges, as the access log says it. */
export const entranceActions = {
  'check_in.create': 'Acreditó una entrada',
  'check_in.undo': 'Deshizo una acreditación',
  'device.create': 'Añadió una puerta',
  'device.pair': 'Creó un código nuevo para una puerta',
  'device.update': 'Cambió una puerta',
  'device.revoke': 'Revocó una puerta',
  'badges.print': 'Imprimió credenciales',
  'badges.undo': 'Dijo que unas credenciales no se imprimieron',
  'scan.admit': 'Hizo que contara una lectura',
  'scan.dismiss': 'Descartó una lectura',
  'scan.import': 'Trajo lecturas de otro servidor',
  'scan.seen': 'Apartó un conflicto',
  'scan.undo': 'Deshizo una lectura',
}
