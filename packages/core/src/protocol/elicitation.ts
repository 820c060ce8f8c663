/** A form that an MCP server asks the user to fill in, as plain data. All texts come from the server. */

export type FormValue = string | number | boolean | string[];

interface FormFieldBase {
  /** The key of the answer. */
  name: string;
  /** For the user. */
  title: string;
  description?: string;
  required: boolean;
}

export interface TextFormField extends FormFieldBase {
  type: 'text';
  format?: 'email' | 'uri' | 'date' | 'date-time';
  minLength?: number;
  maxLength?: number;
  initial?: string;
}

export interface NumberFormField extends FormFieldBase {
  type: 'number';
  isInteger: boolean;
  minimum?: number;
  maximum?: number;
  initial?: number;
}

export interface BooleanFormField extends FormFieldBase {
  type: 'boolean';
  initial?: boolean;
}

export interface FormOption {
  value: string;
  label: string;
}

export interface ChoiceFormField extends FormFieldBase {
  type: 'choice';
  options: FormOption[];
  initial?: string;
}

export interface ChoicesFormField extends FormFieldBase {
  type: 'choices';
  options: FormOption[];
  minItems?: number;
  maxItems?: number;
  initial?: string[];
}

export type FormField =
  | TextFormField
  | NumberFormField
  | BooleanFormField
  | ChoiceFormField
  | ChoicesFormField;

/** An MCP server asks the user to fill in a form, or to open an address. */
export type ElicitationQuestion = {
  kind: 'mcp_elicitation';
  serverName: string;
  message: string;
} & ({ mode: 'form'; fields: FormField[] } | { mode: 'url'; url: string });

/** With `accept`: the form as filled in, or the user agrees to open the address, which the front end then does. */
export type ElicitationAnswer =
  | { action: 'accept'; content?: Record<string, FormValue> }
  | { action: 'decline' }
  | { action: 'cancel' };
