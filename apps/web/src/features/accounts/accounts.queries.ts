import { accountSettings, type LoginRequest, type RegisterRequest, user } from '@catenary/contracts'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { chooseTheme } from '../../lib/appearance/theme.ts'

export function useLogin() {
  return useMutation({
    mutationFn: async (body: LoginRequest) => {
      const signedIn = await api('POST /api/login', { body, reply: user })
      const settings = await api('GET /api/account', { reply: accountSettings }).catch(() => undefined)
      if (settings) chooseTheme(settings.theme)
      return signedIn
    },
    meta: { failure: false },
  })
}

export function useRegister() {
  return useMutation({
    mutationFn: (body: RegisterRequest) => api('POST /api/register', { body, created: user }),
    meta: { failure: false },
  })
}

export function useLogout() {
  return useMutation({
    mutationFn: () => api('POST /api/logout', {}),
    meta: { failure: false },
  })
}
