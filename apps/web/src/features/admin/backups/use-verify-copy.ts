import { toast } from '../../../lib/toast.ts'
import { useVerify } from './backups.queries.ts'

export function useVerifyCopy() {
  const { mutate, isPending } = useVerify()
  const verify = (id: number) =>
    mutate(id, {
      onSuccess: ({ problem, rows, tables }) =>
        toast(
          problem === null
            ? {
                title: 'The copy is intact',
                description: `${rows?.toLocaleString('en')} rows in ${tables} tables`,
              }
            : { title: 'The copy can’t be used', description: problem, variant: 'destructive' },
        ),
    })
  return { verify, isPending }
}
