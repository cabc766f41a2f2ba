/* The registers and units of bus servos' models, compared with the vendors' documents. */
#include "drivers/servo/servo.h"
#include "tests/check.h"

static const brio_servo_family *layout_of(const char *kind, const char *model) {
  const brio_servo_family *family = brio_servo_family_find(kind, NULL);
  return brio_servo_layout(family, brio_servo_model_number(family, model, NULL));
}

/* Facts from the vendors' documents: units, signs, addresses of registers. */
static void test_tables(void) {
  const brio_servo_family *mx = layout_of("dynamixel1", "MX-28"), *ax = layout_of("dynamixel1", "AX-12A");
  const brio_servo_family *ph = layout_of("dynamixel", "PH54-200-S500"),
                          *xl = layout_of("dynamixel", "XL-320");
  const brio_servo_family *sts = brio_servo_family_find("sts", NULL),
                          *scs = brio_servo_family_find("scs", NULL);
  CHECK_NEAR(brio_servo_angle(mx, 4095), 3.1400592, 1e-6, "MX: 4096 a turn");
  CHECK_NEAR(brio_servo_angle(ax, 1023), 2.6128, 1e-3, "AX: 300 degrees");
  CHECK_NEAR(brio_servo_angle(ph, 501923), 3.14159265, 1e-7, "PH54");
  CHECK_NEAR(brio_servo_angle(xl, 0), -2.6179939, 1e-6, "XL-320");
  CHECK(brio_servo_role_register(ph, BRIO_ROLE_GOAL)->address == 564, "PH54");
  CHECK(brio_servo_role_register(xl, BRIO_ROLE_POSITION)->address == 37, "XL-320");
  CHECK_NEAR(layout_of("dynamixel", "XL430-W250")->speed, 0.0239691227, 2e-5, "0.229 rev/min");
  uint8_t bytes[4];
  const brio_register *place = brio_servo_role_register(sts, BRIO_ROLE_POSITION);
  brio_servo_bytes(sts, place, -5, bytes);
  CHECK(bytes[0] == 5 && bytes[1] == 0x80, "bit 15: %02X %02X", bytes[0], bytes[1]);
  brio_servo_bytes(sts, brio_servo_role_register(sts, BRIO_ROLE_HOMING), -5, bytes);
  CHECK(bytes[0] == 5 && bytes[1] == 0x08, "bit 11: %02X %02X", bytes[0], bytes[1]);
  brio_servo_bytes(sts, brio_servo_role_register(sts, BRIO_ROLE_LOAD), -5, bytes);
  CHECK(bytes[0] == 5 && bytes[1] == 0x04, "bit 10: %02X %02X", bytes[0], bytes[1]);
  brio_servo_bytes(scs, brio_servo_role_register(scs, BRIO_ROLE_GOAL), 0x0123, bytes);
  CHECK(bytes[0] == 1 && bytes[1] == 0x23, "SCS: high byte first");
  for (int i = 0; brio_servo_families[i]; i++)
    for (const brio_servo_model *m = brio_servo_families[i]->models; m->number >= 0; m++) {
      const brio_servo_family *layout = brio_servo_layout(brio_servo_families[i], m->number);
      for (const brio_register *reg = layout->registers; reg->name; reg++)
        CHECK(reg->address >= 0 && reg->address + reg->size <= layout->table &&
                  layout->table <= BRIO_SERVO_TABLE,
              "%s: %s", m->name, reg->name);
      CHECK(brio_servo_role_register(layout, BRIO_ROLE_POSITION) &&
                brio_servo_role_register(layout, BRIO_ROLE_GOAL) &&
                brio_servo_role_register(layout, BRIO_ROLE_VELOCITY) && layout->steps > 0,
            "%s", m->name);
    }
}

/* Names of registers and models match in any case, and a misspelt one gets a suggestion. */
static void test_names(void) {
  const brio_servo_family *x = brio_servo_family_find("dynamixel", NULL);
  brio_error err = {0};
  for (int i = 0; brio_servo_families[i]; i++)
    CHECK(brio_protocol_find(brio_servo_families[i]->protocol, &err) != NULL, "%s: %s",
          brio_servo_families[i]->name, err.message);
  const brio_register *reg = brio_servo_register_find(x, "goal_position", &err);
  CHECK(reg && reg->address == 116, "%s", err.message);
  CHECK(brio_servo_register_find(x, "Goal Posision", &err) == NULL, "found");
  CHECK_HAS(err.message, "did you mean 'Goal Position'");
  CHECK(brio_servo_model_number(x, "xm430-w350", &err) == 1020, "%s", err.message);
  CHECK(brio_servo_model_number(x, "XM430-W35", &err) == -1, "found");
  CHECK_HAS(err.message, "did you mean 'XM430-W350'");
}

CHECK_SUITE(CHECK_TEST(test_tables), CHECK_TEST(test_names))
