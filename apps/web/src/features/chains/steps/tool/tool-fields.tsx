import { useWatch } from 'react-hook-form'
import { Field } from '../../../../components/ui/field.tsx'
import { Input } from '../../../../components/ui/input.tsx'
import { LoopFields } from '../flow/loop-fields.tsx'
import type { KindFieldsProps } from '../kind-form.ts'
import { OutputNameField } from '../output-name-field.tsx'
import { typeFormOf } from './tool-forms.ts'

/** Of a step that does something outside: what. */
export function ToolFields(props: KindFieldsProps) {
  const { form, values } = props
  const { errors } = form.formState
  const { Fields } = useType(props)
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Title" error={errors.title?.message}>
          <Input autoComplete="off" {...form.register('title')} />
        </Field>
        <OutputNameField
          field={form.register('outputVariableName')}
          value={values.outputVariableName}
          error={errors.outputVariableName?.message}
        />
      </div>
      <Fields {...props} />
    </>
  )
}

/** What comes back. */
export function ToolAnswer(props: KindFieldsProps) {
  const { Answer } = useType(props)
  return <Answer {...props} />
}

/** How often it is done, and what its type says of that. */
export function ToolSettings(props: KindFieldsProps) {
  const { form, templates, earlierOutputs } = props
  const { Settings } = useType(props)
  return (
    <>
      <LoopFields form={form} outputs={earlierOutputs} variables={templates.variables} />
      <Settings {...props} />
    </>
  )
}

const useType = ({ form: { control } }: KindFieldsProps) =>
  typeFormOf(useWatch({ control, name: 'toolType' }))
