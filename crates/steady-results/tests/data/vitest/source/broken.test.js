import { test } from 'vitest';
import './nothing-of-this-name.js';
test('never runs', () => {});
