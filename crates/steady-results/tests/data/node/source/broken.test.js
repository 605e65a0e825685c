import './nothing-of-this-name.js';
