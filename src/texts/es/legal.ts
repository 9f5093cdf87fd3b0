import type { Texts } from '../texts.ts'
import { count } from './page.ts'

const days = (n: number) => count(n, { one: '# día', other: '# días' })

export const legal: Texts['legal'] = {
  title: 'Quién vende',
  help: 'Está en las páginas de tus eventos y en los recibos. Un evento con entradas de pago se publica cuando hay nombre legal, dirección postal, aviso legal y política de privacidad.',
  legalName: 'Nombre legal',
  legalNameHelp: 'El de la persona, asociación o empresa.',
  address: 'Dirección postal',
  taxId: 'Número fiscal',
  link: 'Un enlace a otro sitio',
  text: 'Un texto escrito aquí',
  imprint: {
    from: 'Aviso legal',
    about: 'Dice quién eres, como pide la ley.',
    url: 'Enlace al aviso legal',
    text: 'Texto del aviso legal',
  },
  privacy: {
    from: 'Privacidad',
    about:
      'Dice qué haces con los datos. El texto empieza con un borrador de lo que se guarda aquí. Completa lo que está entre corchetes.',
    url: 'Enlace a la política de privacidad',
    text: 'Texto de la política de privacidad',
  },
  terms: {
    from: 'Condiciones',
    about: 'Lo que acepta quien compra en cada evento que no tiene condiciones propias.',
    url: 'Enlace a las condiciones',
    text: 'Texto de las condiciones',
  },
  markdown: 'Markdown: # título, **negrita**, listas, enlaces.',
  see: 'Ver la página',
  preview: 'Vista previa',
  previewOf: 'Así lo verán los visitantes',
  privacyDraft:
    facts => `Este texto dice qué guarda ${facts.name} de ti cuando te inscribes en un evento, te apuntas a una lista de espera o envías una propuesta aquí, para qué y durante cuánto tiempo. Quiénes somos está en el aviso legal. Si tienes una pregunta sobre tus datos, escribe a ${facts.email}.

# Qué guardamos

- **Pedidos:** tu nombre, tu correo electrónico y tu idioma, lo que pides y pagas, tus respuestas a nuestras preguntas, las condiciones que aceptaste y, si los das para el recibo, una empresa, una dirección y un número fiscal.
- **Entradas:** el nombre y el correo de cada titular, las respuestas sobre esa persona, el asiento, y si se acreditó en la puerta y cuándo.
- **Listas de espera:** tu nombre, tu correo, tu idioma y las entradas que esperas.
- **Propuestas:** lo que envías, con los nombres, correos y afiliaciones de quienes firman, y cómo localizar a la persona de contacto.
- **Correos** que te enviamos: su texto y si se pudieron entregar; y que no quieres más anuncios, si lo dices.
- **Pagos:** importe, hora y el número que le da el servicio de pago. Nunca recibimos el número de tu tarjeta. De una transferencia tenemos lo que nos dice el banco: nombre, importe, día y concepto.
- **Direcciones de red:** si cambias tu pedido con su enlace, el registro de cambios tiene la dirección de tu conexión. Un pedido solo la tiene convertida en un código, para que nadie haga enviar muchos correos a otras personas.

Para los visitantes no hay cookies ni rastreadores, y nuestras páginas no cargan nada de otros servidores.

# Para qué

Para cumplir tu pedido y celebrar el evento (art. 6.1.b del RGPD), para llevar las cuentas como pide la ley (art. 6.1.c) y para proteger las entradas y este servidor de abusos (art. 6.1.f).

# Durante cuánto tiempo

${
  facts.guestDays === null
    ? '- Pedidos, entradas, acreditaciones, listas de espera y propuestas: [hasta cuándo, por ejemplo un año después del evento]; después borramos lo que te nombra.'
    : `- Pedidos, entradas, acreditaciones y listas de espera: ${days(facts.guestDays)} después del final del evento; después borramos lo que te nombra.\n- Propuestas: [hasta cuándo].`
}
- Pedidos que no llegaron a nada: ${days(facts.abandonedDays)}.
- Recibos: ${facts.receiptYears} años desde el final de su año natural, como pide la ley fiscal.
- Correos: ${days(facts.mailDays)}.
- El registro de cambios: ${days(facts.logDays)}. El código de la dirección de un pedido: ${days(facts.networkDays)} como mucho.
- Transferencias que no son de ningún pedido: ${days(facts.statementDays)}; las de un pedido quedan con nuestras cuentas.
- Las líneas de listas de asistentes que importamos, y lo que se envía a programas conectados: ${days(facts.programDays)}.
- Las copias de seguridad lo tienen todo hasta que se borran: [después de cuántos días].

# Quién los recibe

Las personas de nuestro equipo que los necesitan y los teléfonos que acreditan en la puerta. Para los pagos, nuestro banco o el servicio de pago [Stripe]. Las empresas que llevan nuestro servidor y entregan nuestros correos [sus nombres]. Nadie más.

# Tus derechos

Puedes preguntar qué guardamos de ti y pedir que se corrija, se borre, se limite o se te entregue. Puedes oponerte a su uso y reclamar ante una autoridad de protección de datos. Cada anuncio tiene un enlace para no recibir más.`,
}
