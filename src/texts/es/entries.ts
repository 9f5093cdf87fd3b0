import type { Texts } from '../texts.ts'

export const entries: Texts['entries'] = {
  title: 'Accesos',
  about: 'De entradas que dan acceso más de una vez. En la puerta, un día empieza a las 06:00.',
  caption: 'Accesos por día y hora, los más nuevos primero',
  inside: 'Dentro ahora',
  day: 'Día',
  hour: 'Hora',
  entered: 'Accesos',
  left: 'Salidas',
  none: 'Aún no ha entrado nadie',
  noneAbout: 'Cuando se lean entradas en las puertas, sus accesos estarán aquí.',
  tooMany: n => `Solo se cuentan los ${n} accesos más nuevos.`,
  way: 'En qué sentido',
  ways: { in: 'De entrada: deja pasar', out: 'De salida: anota quién se va' },
  isWayOut: 'de salida',
  noExit: 'Salida sin cambios',
}
