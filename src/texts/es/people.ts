import type { Texts } from '../texts.ts'

export const people: Texts['people'] = {
  name: 'Tu nombre',
  you: 'Tú',
  organization: 'Organización',
  yourOrganization: 'Tu organización',
  organizationHelp: 'El nombre que conocen tus asistentes.',
  timezoneHelp: 'Escribe una ciudad, como Madrid, y elige.',
  newPassword: 'Contraseña',
  newPasswordHelp: '10 caracteres o más. Una frase va bien.',
  setupTitle: 'Preparar Turnout',
  setupAbout: 'Tu organización, y tú como persona propietaria. Todo se puede cambiar después.',
  setupSubmit: 'Crear',
  joinTitle: account => `Unirse a ${account}`,
  joinAbout: (role, email) => `Te han invitado como ${role}, con ${email}.`,
  joinSubmit: 'Unirme',
  signInToJoin: 'Ya tienes contraseña aquí: inicia sesión y después únete.',
  resetTitle: 'Elige una contraseña nueva',
  resetAbout: email => `Para ${email}. Se cierran todas tus sesiones, aquí y en otros sitios.`,
  resetSubmit: 'Guardar la contraseña',
  sandboxTitle: 'Entorno de pruebas',
  sandboxAbout:
    'Este enlace inicia sesión sin contraseña, una vez. Es de un entorno de pruebas con personas inventadas.',
  continueAs: name => `Continuar como ${name}`,
  yourOrganizations: 'Tus organizaciones',
  noOrganization: 'No estás en ninguna organización',
  noOrganizationAbout: 'Pide una invitación a una persona propietaria.',
  otherSignedIn: email =>
    `Has iniciado sesión como ${email}, y la invitación es para otra persona. Si eres tú, cierra antes la sesión.`,
  signOut: 'Cerrar sesión',
  roles: {
    owner: 'persona propietaria',
    manager: 'gestión',
    finance: 'finanzas',
    door: 'puerta',
    reviewer: 'revisión',
  },
}
